/** What came of handing something to one sink. The same thing twice is one effect. */
export interface SinkEffect {
  /** `planned`: nothing was done, because nobody said so. `present`: it was there already. */
  readonly status: "planned" | "sent" | "present";
  readonly where: string;
  /** Where people can look at it. */
  readonly url?: string | undefined;
  /** The branch that it is on, here or there. */
  readonly branch?: string | undefined;
  /** The number of the pull request. */
  readonly request?: number | undefined;
}
