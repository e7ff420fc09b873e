"""What the scan of C++ sources finds, and what it does not take for a definition."""

from __future__ import annotations

import pytest

from fencepost.anchors.scan import Evidence, bases, places

SOURCE = """\
// void Ring::push(int) { in a comment }
#define PUSH(x) Ring::push(x) {
namespace a::b {
namespace { const char* text = "Ring::push(1) { }"; }
class [[nodiscard]] RING_API Ring final : public Base<int>, private other::Thing {
 public:
  enum class State { kFull };
  void push(int);
  bool full() const noexcept { return take(1) && depth_ > 0; }
  virtual int take(int, int = f({1})) const = 0;
  struct Slot { int next() { return 1; } };
 private:
  int depth_;
};
#if FAST
void Ring::push(int x) {
#else
void Ring::push(long x) {
#endif
  if (full()) { push(x); }
  auto y = x ? take(x) : take(1);
}
template <> int Ring::Slot::size<int>()
    const { return 0; }
Ring::~Ring() {}
Ring::Ring(int n) : depth_(n), text{} {
  while (Ring::full()) {}
}
}
extern "C" {
int ring_push(
    struct ring* r) API_SUFFIX_1 {
  return ring_pop(r);
}
}
int ring_pop(struct ring* r);
int after_all() { return 1'000'000; }
"""

PUSH = "a::b::Ring::push"


def found(name: str, text: str = SOURCE) -> list[tuple[str, int, str]]:
    return [("::".join(p.path), p.line, p.evidence.value) for p in places(text, "ring.cpp", {name})]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("push", [(PUSH, 8, "declared"), (PUSH, 16, "defined"), (PUSH, 18, "defined")]),
        ("full", [("a::b::Ring::full", 9, "defined")]),
        ("take", [("a::b::Ring::take", 10, "declared")]),
        ("depth_", [("a::b::Ring::depth_", 13, "declared")]),
        ("next", [("a::b::Ring::Slot::next", 11, "defined")]),
        ("size", [("a::b::Ring::Slot::size", 23, "defined")]),
        ("ring_push", [("ring_push", 31, "defined")]),
        ("ring_pop", [("ring_pop", 36, "declared")]),
        ("after_all", [("after_all", 37, "defined")]),
        ("PUSH", []),
        ("absent", []),
    ],
)  # fmt: skip
def test_definitions_and_declarations(name: str, expected: list[tuple[str, int, str]]) -> None:
    assert [place for place in found(name) if place[2] != "used"] == expected


def test_a_constructor_and_its_destructor_are_told_apart() -> None:
    assert [place[:2] for place in found("Ring") if place[2] == "defined"] == [
        ("a::b::Ring::~Ring", 25),
        ("a::b::Ring::Ring", 26),
    ]


def test_a_mere_use_is_told_once() -> None:
    assert found("kFull") == [("kFull", 7, "used")]
    assert found("f", "int g() { return f(1) + f(2); }\n") == [("f", 1, "used")]


@pytest.mark.parametrize("text", [
    "int g() { if (A::f(1)) { return 1; } }",
    "int g() { for (auto x : A::f(1)) { h(x); } }",
    "int g() { return x ? A::f(1) : h(2); }",
    "int g() { return A::f(1); }",
    'const char* s = "void A::f(int) {}";',
    "const char* s = R\"(void A::f(int) {})\";",
    "/* void A::f(int) {} */ int g();",
    "#define F void A::f(int) { \\\n  }\n",
    "int g() { A::f(1); }",
    "int g(int x) { switch (x) { case A::f(1): return 1; } return 0; }",
    "int g() { return x ? new f(1) : nullptr; }",
    "auto p = &A::f;",
])  # fmt: skip
def test_neither_a_call_nor_a_word_is_a_definition(text: str) -> None:
    assert not [place for place in places(text, "x.cpp", {"f"}) if place.evidence is not Evidence.USED]


def test_the_branches_of_a_conditional_begin_at_the_same_depth() -> None:
    heads = "#ifdef A\nclass C {\n#elif B\nclass C : D {\n#else\nclass C {\n#endif\n"
    text = f"namespace n {{\n{heads}void f() {{}}\n}};\n}}\nvoid g() {{}}\n"
    assert ["::".join(p.path) for p in places(text, "x.hpp", {"f", "g"})] == ["n::C::f", "g"]


def test_bases() -> None:
    assert dict(bases(SOURCE)) == {"Ring": ("Base", "Thing")}
