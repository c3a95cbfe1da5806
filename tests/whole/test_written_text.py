# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""What a reader finds in a converted kernel: whose comments stay, and where parentheses stand."""

from oracle import tool

KERNEL = '''
import cuda.tile as ct


@ct.kernel
def block(
    x,  # what is read
    y,
    unused,  # what nobody reads
    GROUP: ct.Constant[int],  # programs in a group
    T: ct.Constant[int],
):
    """Copies."""
    # which program this is
    pid = ct.bid(0)
    first = (pid % GROUP) // 2
    # read it
    a = ct.load(x, (first, 0, 0), (1, T, T))
    # Reshape to 2D
    a = ct.reshape(a, (T, T))  # [T, T]

    # twice
    a = a + a
    # Store with 3D shape
    b = ct.reshape(a, (1, T, T))
    ct.store(y, (first, 0, 0), b)
    # the end
'''


def converted(tmp_path, text):
    source, target = tmp_path / "block.py", tmp_path / "block_triton.py"
    source.write_text(text)
    assert tool.convert(source, target).status == "converted"
    return target.read_text()


def comments(text):
    return [line[line.index("#") :] for line in text.splitlines() if "#" in line]


def test_comments_stay_where_they_speak_of_what_is_there(tmp_path):
    kept = comments(converted(tmp_path, KERNEL))
    assert kept == ["# what is read", "# programs in a group", "# which program this is", "# read it", "# twice", "# the end"]


def test_comments_on_another_subject_stay_though_their_reshape_is_gone(tmp_path):
    kept = comments(converted(tmp_path, KERNEL.replace("# Reshape to 2D", "# of this head alone").replace("[T, T]", "half of it")))
    assert "# of this head alone" in kept and "# half of it" in kept


def test_comments_on_a_reshape_that_is_made_stay(tmp_path):
    text = KERNEL.replace("(T, T))  # [T, T]", "(T * T,))  # [T * T]").replace("ct.reshape(a, (1, T, T))", "ct.reshape(a, (1, T, T))")
    assert "# Reshape to 2D" in comments(converted(tmp_path, text))


def test_mixed_quotients_keep_their_parentheses(tmp_path):
    assert "(pid % GROUP) // 2" in converted(tmp_path, KERNEL)


def test_constants_are_asked_for_their_sign_when_the_kernel_is_compiled(tmp_path):
    text = converted(tmp_path, KERNEL)
    assert '    """Copies."""\n    tl.static_assert(GROUP >= 0)\n' in text
    assert "raise" not in text
