package dev.abacus.deploy.cli.plan;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.KafkaOptions;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.PriorsFile;
import dev.abacus.deploy.cli.option.ProgramFile;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.cluster.TopicWriter;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.optimizer.api.ProgramPriors;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus priors}. */
@Command(
    name = "priors",
    description = {
      "Create a priors file for a program, or set the program's priors on the cluster.",
      "Priors order the first samples; wrong priors only cost samples."
    },
    footer = {
      "  abacus priors program.yaml --from-samples --bootstrap-server localhost:9092 --file priors.json",
      "  abacus priors program.yaml --give priors.json --bootstrap-server localhost:9092"
    })
public final class PriorsCommand implements Runnable {

  @Mixin private ProgramFile file = new ProgramFile();

  @ArgGroup(multiplicity = "1")
  private Deed deed = new Deed();

  /** Exactly one of these options. */
  static final class Deed {
    @Option(
        names = "--naive",
        description = "Create from published model data (quality, token prices, token times).")
    private boolean naive;

    @Option(
        names = "--from-samples",
        arity = "0..1",
        paramLabel = "F.jsonl",
        fallbackValue = "",
        description = "Create from the means of observations, of a file or of the program's topic.")
    private @Nullable String samples;

    @Option(
        names = "--learnt",
        description = "Create from the measurements of other programs on the cluster.")
    private boolean learnt;

    @Option(
        names = "--give",
        paramLabel = "PRIORS.json",
        description = "Set these priors for the program, on the cluster.")
    private @Nullable Path given;

    @Option(names = "--take-back", description = "Remove the program's priors.")
    private boolean takeBack;
  }

  @Option(
      names = "--file",
      paramLabel = "PRIORS.json",
      description = "Output file (default: standard output).")
  private @Nullable Path target;

  @Mixin private KafkaOptions kafka = new KafkaOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    Program program = file.read();
    ModelCatalogue catalogue = file.catalogue();
    if (deed.given != null || deed.takeBack) {
      String json =
          deed.given == null ? null : PriorsFile.read(deed.given, program, catalogue, output);
      TopicWriter.givePriors(kafka.connect(), program.name(), json);
      report(json == null ? "taken back" : "given", Map.of());
      return;
    }
    ProgramPriors priors = make(program, catalogue);
    if (target == null) {
      output.line(priors.json());
    } else {
      write(target, priors.json());
      report("written to " + target, priors.counts());
    }
  }

  private ProgramPriors make(Program program, ModelCatalogue catalogue) {
    if (deed.naive) {
      return ProgramPriors.naive(program, catalogue);
    }
    if (deed.learnt) {
      return ProgramPriors.learned(program, catalogue, TopicReader.learned(kafka.connect()));
    }
    String samples = deed.samples == null ? "" : deed.samples;
    ProgramPriors priors =
        ProgramPriors.ofSamples(
            program,
            catalogue,
            samples.isEmpty()
                ? TopicReader.observations(kafka.connect(), program.name())
                : observations(Path.of(samples)));
    if (priors.isEmpty()) {
      throw CommandFailure.failed(
          "there is no observation of an implementation of " + program.name(),
          "Let it be sampled first, or start with --naive.");
    }
    return priors;
  }

  private static List<Observation> observations(Path file) {
    List<Observation> observations = new ArrayList<>();
    for (JsonLines.Line line : JsonLines.read(file)) {
      try {
        observations.add(Json.read(line.object().toBytes(), Observation.class));
      } catch (MalformedRecordException e) {
        throw line.wrong(String.valueOf(e.getMessage()));
      }
    }
    return observations;
  }

  private static void write(Path target, String text) {
    try {
      Files.writeString(target, text + System.lineSeparator());
    } catch (IOException e) {
      throw CommandFailure.failed(
          "%s cannot be written: %s".formatted(target, e.getMessage()), "Check the path.");
    }
  }

  private void report(String done, Map<String, Integer> counts) {
    List<String> lines = new ArrayList<>(List.of("priors are " + done));
    counts.forEach(
        (operator, count) -> lines.add("  %s: %d implementations".formatted(operator, count)));
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("done", done);
    output.data(json.set("implementations", Json.tree(counts)), lines);
  }
}
