/** The output of a command: its result goes to `stdout`, everything else to `stderr`. */
export interface CommandOutput {
  readonly stdout: TextSink;
  readonly stderr: TextSink;
}

/** Where text goes; a terminal says so. */
export interface TextSink {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Whether the command did its job, whatever became of a task: 0 done, 1 failure, 2 usage, 3 unreachable,
 * 4 authentication, 5 timeout.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5;

/** A command of the tool. `run` throws `UsageError` for arguments that it does not understand. */
export interface Command {
  /** The full help text of this command, ending with a line break. */
  readonly usage: string;
  run(args: readonly string[], output: CommandOutput): Promise<ExitCode>;
}
