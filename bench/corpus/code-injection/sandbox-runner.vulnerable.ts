import vm from 'node:vm';

interface Rule {
  id: string;
  condition: string;
}

export class RuleEngine {
  private rules: Rule[] = [];

  add(rule: Rule) {
    this.rules.push(rule);
  }

  evaluate(facts: Record<string, unknown>, condition: string): boolean {
    const context = vm.createContext({ ...facts });
    return Boolean(vm.runInContext(condition, context)); // sink: code-injection
  }
}
