/** The interface of a command of `assay`. */
export interface Command {
  /** One line for the list of commands, in lower case. */
  readonly summary: string;
  /** @param args the arguments after the command's name */
  readonly run: (args: readonly string[]) => Promise<void>;
}
