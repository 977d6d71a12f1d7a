package dev.abacus.deploy.evaluation.dataset;

import dev.abacus.deploy.cli.CommandExtension;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code abacus dataset}. */
@Command(
    name = "dataset",
    description = {
      "Convert a public data set for `abacus run`: program, documents, validation, answers, references.",
      "The product does not include the data; --from names your copy."
    },
    footer = "  abacus dataset banking77 --from ~/banking77 --to /tmp/banking")
public final class DatasetCommand implements CommandExtension, Runnable {

  @Parameters(paramLabel = "NAME", description = "${COMPLETION-CANDIDATES}")
  private PublicDataset name = PublicDataset.BANKING77;

  @Option(
      names = "--from",
      required = true,
      paramLabel = "DIR",
      description = "Folder of the data set.")
  private Path from = Path.of("");

  @Option(names = "--to", required = true, paramLabel = "DIR", description = "Output folder.")
  private Path to = Path.of("");

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Deal out documents and validation examples at random (default: as published).")
  private @Nullable Long seed;

  @Mixin private Output output = new Output();

  @Override
  public void run() {
    if (!Files.isDirectory(from)) {
      throw CommandFailure.invalid(
          "no such folder: " + from, "Pass the folder of the data set with --from.");
    }
    Dataset published = name.read(from);
    Dataset dataset = seed == null ? published : published.resplit(seed);
    Dataset.Written written = dataset.writeTo(to);
    if (output.json()) {
      output.value(written);
      return;
    }
    output.line(
        "%s: %d documents (%s split), %d validation examples, %d answers%s"
            .formatted(
                to,
                written.documents(),
                written.split(),
                written.validation(),
                written.answers(),
                written.references().isEmpty()
                    ? ""
                    : ", items of references " + written.references()));
    StringBuilder references = new StringBuilder();
    written
        .references()
        .keySet()
        .forEach(
            name -> references.append(" --reference %s=%s/%s.jsonl".formatted(name, to, name)));
    output.note(
        "Run it: abacus run %s/program.yaml --local --documents %s/documents.jsonl --validation %s/validation.jsonl%s --labels %s/labels.jsonl --answers %s/answers.jsonl --results results.jsonl"
            .formatted(to, to, to, references, to, to));
  }
}
