# What an assertion may say, and what becomes of it. Loaded before fork-server.py, in one text with it.
# This is the first wall: the words of the language that are let in, each by name. The second one is
# around the process that runs it, which can open, start and reach nothing.
import ast
import json
import warnings

# A warning would be written, with the line that it is about: there is nowhere to write and read.
warnings.simplefilter("ignore")

WHY_CHARS_MAX = 2000
RESULT_CHARS_MAX = 4000
REACHED = "<reached>"
# JSON that we wrote ourselves: no need to look for anything around it.
SCAN = json.JSONDecoder().scan_once
NAMED = {"Name": "id", "FunctionDef": "name", "ExceptHandler": "name", "arg": "arg", "keyword": "arg"}

NODES = frozenset(
    """Module Expr Assert Assign AugAssign For While If Break Continue Pass FunctionDef Return
    Lambda arguments arg keyword Try ExceptHandler Raise BoolOp NamedExpr BinOp UnaryOp IfExp Dict Set
    List Tuple ListComp SetComp DictComp GeneratorExp comprehension Compare Call FormattedValue
    JoinedStr Constant Attribute Subscript Starred Name Slice Load Store And Or Add Sub Mult Div Mod
    Pow LShift RShift BitOr BitXor BitAnd FloorDiv Invert Not UAdd USub Eq NotEq Lt LtE Gt GtE Is IsNot
    In NotIn""".split()
)

SAFE = """abs all any bool bytes chr dict divmod enumerate filter float frozenset hex int isinstance
    iter len list map max min next oct ord pow range repr reversed round set slice sorted str sum tuple
    zip Exception ArithmeticError AssertionError AttributeError IndexError KeyError LookupError
    OverflowError RecursionError RuntimeError StopIteration TypeError UnicodeError ValueError
    ZeroDivisionError""".split()


def type_of(value):
    # With three arguments it would make classes, whose methods run unasked.
    return type(value)


BUILTINS = {name: getattr(__builtins__, name) for name in SAFE}
BUILTINS["type"] = type_of

# What values of JSON and their like can be asked. Not among them: what leads from a value to its
# class, its frame or its code, and format, which finds attributes by names that are no syntax.
ATTRIBUTES = frozenset(
    name
    for kind in (dict, list, str, int, float, set, frozenset, tuple, bytes)
    for name in dir(kind)
    if not name.startswith("_") and name not in ("format", "format_map")
)


class Refused(Exception):
    pass


def refuse(node, what):
    raise Refused("line %d: %s" % (getattr(node, "lineno", 1), what))


def let_in(tree):
    """The asserts of a program of which every part is let in. One walk: it is most of the work."""
    asserts = []
    looks = False
    loops = False
    rest = [tree]
    while rest:
        node = rest.pop()
        kind = node.__class__.__name__
        if kind not in NODES:
            imports = kind == "Import" or kind == "ImportFrom"
            told = "imports nothing; everything that it judges is in result"
            refuse(node, told if imports else "%s is not let in" % kind)
        if kind == "Name" and node.id == "result":
            if node.ctx.__class__ is not ast.Load:
                refuse(node, "result is what it judges, and nothing else is called that")
            looks = True
        elif kind == "Attribute":
            if node.attr not in ATTRIBUTES:
                hint = "; use an f-string" if node.attr.startswith("format") else ""
                refuse(node, "the attribute %s is not let in%s" % (node.attr[:100], hint))
        elif kind == "Assert":
            asserts.append(node)
        elif kind == "While":
            loops = True
        if kind in NAMED:
            name = getattr(node, NAMED[kind]) or ""
            if name.startswith("__") or (name == "result" and kind not in ("Name", "keyword")):
                refuse(node, "the name %s is not let in here" % name[:100])
        for field in node._fields:
            value = getattr(node, field, None)
            if value.__class__ is list:
                rest.extend(one for one in value if isinstance(one, ast.AST))
            elif isinstance(value, ast.AST):
                rest.append(value)
    if not looks:
        raise Refused("it never looks at result, so that it cannot fail")
    return asserts, loops


class Counted(ast.NodeTransformer):
    """Puts a mark before each assert: one that is never reached proves nothing."""

    def visit_Assert(self, node):
        reached = ast.Expr(ast.Call(ast.Name(REACHED, ast.Load()), [], []))
        return [ast.copy_location(reached, node), node]


def prepared(code):
    """The program, its asserts, how many of them are reached whatever happens, and whether it loops."""
    tree = compile(code, "<assertion>", "exec", ast.PyCF_ONLY_AST)
    asserts, loops = let_in(tree)
    body = tree.body
    if len(body) == 1 and body[0].__class__ is ast.Expr:
        only = body[0]
        place = {"lineno": only.lineno, "col_offset": only.col_offset}
        asserts = body[:] = [ast.Assert(only.value, None, **place)]
    if not asserts:
        raise Refused("it asserts nothing: write assert, or one expression that is true or false")
    certain = 0
    for node in body:
        certain += node.__class__ is ast.Assert
    if certain == 0:
        tree = ast.fix_missing_locations(Counted().visit(tree))
    return compile(tree, "<assertion>", "exec"), asserts, certain, loops


def shown(text, chars):
    return text if len(text) <= chars else text[:chars] + "…"


def judged(code, data):
    """What became of an assertion about a result, both as they came, in bytes; as bytes of JSON."""
    try:
        program, asserts, certain, loops = prepared(code.decode("utf-8").strip())
    except Refused as why:
        return refused(str(why))
    except (SyntaxError, ValueError) as why:
        return refused("it is no Python: %s: %s" % (why.__class__.__name__, why))
    result = SCAN(data.decode("utf-8"), 0)[0]
    seen = []
    known = {"__builtins__": BUILTINS, "result": result, REACHED: lambda: seen.append(1)}
    try:
        exec(program, known)
    except MemoryError:
        raise
    except RecursionError:
        return refused("it calls itself too deep")
    except NameError as why:
        # That is the assertion's mistake, and says nothing about the result.
        return refused("%s; there are no imports" % why)
    except Exception as why:
        return failed(why, asserts, data)
    checks = certain or len(seen)
    if checks == 0:
        return refused("no assertion was reached, so that nothing was checked")
    # A loop may wait for a value that others never have.
    if not loops and holds_for_all(program):
        return refused("it holds whatever result is, so that it shows nothing")
    return b'{"kind": "holds", "checks": %d}' % checks


# Results of every shape, none of which any work is asked for.
OTHERS = (None, True, 0, -1.5, 97, "", "error: failed", [], [None], ["error"], {}, {"error": []})


def holds_for_all(program):
    """Whether it holds for everything else too: `assert result or True`, `assert (result, "why")`."""
    for other in OTHERS:
        known = {"__builtins__": BUILTINS, "result": other, REACHED: int}
        try:
            exec(program, known)
        except MemoryError:
            raise
        except Exception:
            return False
    return True


def refused(why):
    return answer({"kind": "refused", "why": shown(why, WHY_CHARS_MAX)})


def failed(why, asserts, data):
    name = why.__class__.__name__
    said = str(why) or (source_of(why, asserts) if name == "AssertionError" else "")
    told = {"kind": "fails", "error": name, "why": shown(said, WHY_CHARS_MAX)}
    return answer({**told, "result": shown(data.decode("utf-8"), RESULT_CHARS_MAX)})


def source_of(why, asserts):
    """The words of the assert that raised it."""
    place = why.__traceback__
    while place.tb_next is not None:
        place = place.tb_next
    here = [node for node in asserts if node.lineno == place.tb_lineno]
    return ast.unparse(here[0].test) if len(here) == 1 else "line %d" % place.tb_lineno


def answer(told):
    return json.dumps(told).encode("ascii")
