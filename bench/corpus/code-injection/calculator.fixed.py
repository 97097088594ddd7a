import ast
import math


class Calculator:
    """Evaluates formulas of a sheet."""

    names = {"pi": math.pi}

    def evaluate(self, formula):
        text = formula.lstrip("=")
        return ast.literal_eval(text)
