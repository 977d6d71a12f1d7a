package dev.abacus.deploy.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code abacus completion}. */
@Command(
    name = "completion",
    description = "Print a script that completes commands and options in a shell.",
    footer = {
      "  source <(abacus completion bash)",
      "  abacus completion zsh > ~/.abacus-completion && source ~/.abacus-completion"
    })
final class CompletionCommand implements Runnable {

  /** The shells that complete commands; the script suits both. */
  enum Shell {
    BASH,
    ZSH
  }

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
  @SuppressWarnings("UnusedVariable") // picocli checks the name; the script is the same for both.
  private @Nullable Shell shell;

  @Spec private @Nullable CommandSpec command;

  @Override
  public void run() {
    CommandLine root = Objects.requireNonNull(command).root().commandLine();
    root.getOut().print(AutoComplete.bash(root.getCommandName(), root));
    root.getOut().flush();
  }
}
