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
    const [name, expected] = condition.split('==');
    return String(facts[name.trim()]) === expected.trim();
  }
}
