/** The shells that there is completion for. */
export const shells = ["bash", "zsh", "fish"] as const;

/** A command as completion knows it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  /** Options with their dashes. */
  readonly options: readonly string[];
}

/** The script that completes commands and their options in a shell. */
export function completionScript(
  shell: (typeof shells)[number],
  commands: readonly CompletedCommand[],
): string {
  return shell === "fish" ? fishScript(commands) : bashScript(shell, commands);
}

/** The words that can follow each beginning of a command: the next words of longer names, or its options. */
function continuations(
  commands: readonly CompletedCommand[],
): ReadonlyMap<string, readonly string[]> {
  const following = new Map<string, Set<string>>([["", new Set(["--help", "--version"])]]);
  for (const { name, options } of commands) {
    const words = name.split(" ");
    for (const [index, word] of words.entries()) {
      const before = words.slice(0, index).join(" ");
      following.set(before, (following.get(before) ?? new Set()).add(word));
    }
    following.set(name, new Set([...options, "--help"]));
  }
  return new Map([...following].map(([before, words]) => [before, [...words]]));
}

/** Zsh runs scripts for bash once it has loaded what they need. */
function bashScript(shell: "bash" | "zsh", commands: readonly CompletedCommand[]): string {
  const cases = [...continuations(commands)].map(
    ([before, words]) => `    "${before}") words="${words.join(" ")}" ;;`,
  );
  return [
    ...(shell === "zsh" ? ["#compdef parley", "autoload -U +X bashcompinit && bashcompinit"] : []),
    "_parley() {",
    '  local before="" word words=""',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case "$word" in -*) break ;; esac',
    '    before="${before:+$before }$word"',
    "  done",
    '  case "$before" in',
    ...cases,
    "  esac",
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    "}",
    "complete -o default -F _parley parley",
    "",
  ].join("\n");
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const quoted = (text: string): string =>
    `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = [...continuations(commands)].flatMap(([before, words]) =>
    words.map((word) => {
      const name = before === "" ? word : `${before} ${word}`;
      const summary = commands.find((one) => one.name === name)?.summary;
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${quoted(word)}`;
      const about = summary === undefined ? "" : ` -d ${quoted(summary)}`;
      return `complete -c parley -n ${quoted(`__parley_at ${before}`)} ${what}${about}`;
    }),
  );
  return [
    "function __parley_at",
    "  set -l words",
    "  for word in (commandline -opc)[2..-1]",
    "    string match -q -- '-*' $word; and break",
    "    set -a words $word",
    "  end",
    '  test "$words" = "$argv"',
    "end",
    ...lines,
    "",
  ].join("\n");
}
