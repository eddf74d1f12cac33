"""The drawing of the packages is the import graph's, and imports point one way in it."""

import draw_architecture


def test_the_picture_shows_the_present_imports():
    assert draw_architecture.PICTURE.read_text() == draw_architecture.drawing(), "run: python docs/draw_architecture.py"


def test_every_package_imports_only_what_lies_below_it():
    packages = draw_architecture.layers()
    for row, name in enumerate(packages):
        below = draw_architecture.imports(name) & set(packages)
        assert below <= set(packages[row + 1 :]), name
