import math


class Calculator:
    """Evaluates formulas of a sheet."""

    names = {"pi": math.pi}

    def evaluate(self, formula):
        text = formula.lstrip("=")
        return eval(text, {"__builtins__": {}}, self.names) # sink: code-injection
