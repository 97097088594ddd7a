import { ProjectPath } from "../schema/work-proof.ts";

/** What an answer has to be, so that whoever types something else is asked again. */
export interface Expected {
  readonly words: string;
  readonly holds: (answer: string) => boolean;
}

export const YES_OR_NO: Expected = {
  words: "yes or no",
  holds: (answer) => /^(?:y|yes|n|no)$/i.test(answer),
};
export const PATH: Expected = {
  words: "a path inside the project",
  holds: (answer) => ProjectPath.safeParse(answer).success,
};
export const POINTER: Expected = {
  words: 'a pointer that begins with "/"',
  holds: (answer) => answer.startsWith("/"),
};
export const URL_PATH: Expected = {
  words: 'a path that begins with "/"',
  holds: (answer) => answer.startsWith("/"),
};
export const BEHAVIOUR: Expected = {
  words: "GIVEN … WHEN … THEN …",
  holds: (answer) => /\bGIVEN\b.*\bWHEN\b.*\bTHEN\b/s.test(answer),
};

export function oneOf(names: readonly string[]): Expected {
  const isOne = (answer: string) => names.includes(answer.toUpperCase());
  return { words: `one of ${names.join(", ")}`, holds: isOne };
}

export function numberWithin(min: number, max: number): Expected {
  return {
    words: `a whole number from ${min} to ${max}`,
    holds: (answer) => /^\d+$/.test(answer) && Number(answer) >= min && Number(answer) <= max,
  };
}

/** Names with a semicolon between them, each of one that is there already. */
export function earlier(ids: readonly string[]): Expected {
  const isEach = (answer: string) => answer.split(";").every((one) => ids.includes(one.trim()));
  return { words: `names of earlier subtasks, ${ids.join(", ")}`, holds: isEach };
}
