package dev.abacus.deploy.command;

import dev.abacus.deploy.dataset.Banking77;
import dev.abacus.deploy.dataset.Cuad;
import dev.abacus.deploy.dataset.Dataset;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code abacus dataset}. */
@Command(
    name = "dataset",
    description = {
      "Make a public data set ready for `abacus run`: program, documents, validation, answers.",
      "The data itself is not part of the product; --from names your copy."
    },
    footer = {"%nExample:", "  abacus dataset banking77 --from ~/banking77 --to /tmp/banking"})
final class DatasetCommand implements Runnable {

  /** Data sets there are. */
  enum Name {
    BANKING77,
    CUAD
  }

  @Parameters(paramLabel = "NAME", description = "banking77 or cuad.")
  private Name name = Name.BANKING77;

  @Option(names = "--from", required = true, paramLabel = "DIR", description = "The data set.")
  private Path from = Path.of("");

  @Option(names = "--to", required = true, paramLabel = "DIR", description = "Where files go.")
  private Path to = Path.of("");

  @Mixin private Output output = new Output();

  @Override
  public void run() {
    if (!Files.isDirectory(from)) {
      throw CommandFailure.invalid(
          "no such folder: " + from, "Give with --from the folder that holds the data set.");
    }
    Dataset dataset =
        switch (name) {
          case BANKING77 -> Banking77.read(from);
          case CUAD -> Cuad.read(from);
        };
    Dataset.Written written = dataset.writeTo(to);
    if (output.json()) {
      output.value(written);
      return;
    }
    output.line(
        "%s: %d documents (%s split), %d validation examples, %d answers"
            .formatted(
                to, written.documents(), written.split(), written.validation(), written.answers()));
    output.note(
        "Run it: abacus run %s/program.yaml --local --documents %s/documents.jsonl --validation %s/validation.jsonl --answers %s/answers.jsonl --results results.jsonl"
            .formatted(to, to, to, to));
  }
}
