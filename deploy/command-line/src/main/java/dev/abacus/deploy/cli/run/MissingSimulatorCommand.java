package dev.abacus.deploy.cli.run;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.local.LocalPart;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** {@code abacus simulator} of an installation without the local part; says so. */
@Command(
    name = "simulator",
    description = {
      "Run a simulated OpenAI-compatible endpoint.",
      "NOT INSTALLED: it needs the part abacus-VERSION-local.tar.gz, unpacked over this "
          + "installation."
    },
    footer = "  abacus simulator --port 8090")
public final class MissingSimulatorCommand implements Runnable {

  @SuppressWarnings("UnusedVariable") // Picocli fills it, so that any option is accepted.
  @Unmatched
  private List<String> arguments = List.of();

  @Override
  public void run() {
    throw CommandFailure.failed(
        "`simulator` needs simulated models, which are not installed", LocalPart.REMEDY);
  }
}
