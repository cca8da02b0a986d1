"""A prepared folder as messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from rlvr_gym.runtimes import seed

MIB = 1 << 20


def unpacked(folder: Path | None) -> dict[str, tuple[str, bytes]]:
    """Put the batches together again."""
    found: dict[str, tuple[str, bytes]] = {}
    for entries, body, _ in seed.batches(folder):
        for kind, path, _, size in entries:
            if kind != "mode":
                found[path] = (kind, found.get(path, ("", b""))[1] + body[:size])
                body = body[size:]
        assert body == b""
    return found


def test_content_arrives_whole_and_in_pieces_of_bounded_size(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(bytes(range(256)) * (40 * MIB // 1024))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "small").write_bytes(b"x")
    (tmp_path / "folder" / "none").touch()
    assert unpacked(tmp_path) == {
        "big": ("file", (tmp_path / "big").read_bytes()),
        "folder": ("folder", b""),
        "folder/small": ("file", b"x"),
        "folder/none": ("file", b""),
    }
    assert max(len(body) for _, body, _ in seed.batches(tmp_path)) <= 8 * MIB


def test_many_files_come_in_many_messages(tmp_path: Path) -> None:
    for number in range(3000):
        (tmp_path / str(number)).touch()
    assert len(unpacked(tmp_path)) == 3000
    assert max(len(entries) for entries, _, _ in seed.batches(tmp_path)) <= 2100


def test_links_are_told_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(outside)
    (inside / "dangling").symlink_to("/no/such")
    assert unpacked(inside) == {"link": ("link", bytes(outside)), "dangling": ("link", b"/no/such")}
    assert seed.measure(inside) == seed.Size(0, 2)


def test_a_folder_gets_its_mode_after_its_content(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "x").touch()
    (tmp_path / "a").chmod(0o500)
    order = [(kind, path) for entries, _, _ in seed.batches(tmp_path) for kind, path, _, _ in entries]
    assert order.index(("mode", "a/b")) < order.index(("mode", "a"))
    assert order.index(("file", "a/b/x")) < order.index(("mode", "a/b"))


@pytest.mark.parametrize("folder", ["none", "empty"])
def test_even_nothing_has_an_end(folder: str, tmp_path: Path) -> None:
    batches = list(seed.batches(None if folder == "none" else tmp_path))
    assert [last for _, _, last in batches] == [False] * (len(batches) - 1) + [True]


def test_room_is_counted_in_pages(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"x")
    (tmp_path / "y").write_bytes(bytes(4097))
    assert seed.measure(tmp_path) == seed.Size(3 * 4096, 2)
