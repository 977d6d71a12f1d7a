package dev.abacus.deploy.evaluation.learning;

import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.schemas.program.Learning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code abacus bench learning}. */
@Command(
    name = "learning",
    description = {
      "Measure what is learnt from live documents: a stream of real messages passes through Kafka, a worker, an",
      "optimizer and an endpoint that counts its calls. The model is simulated: its answers are fixed, right for",
      "93 %% of the messages; four of five mistakes follow from the text. No labels are used."
    },
    footer = "  abacus bench learning --stream ../shared/data/banking77/stream.jsonl -o json")
public final class LearningCommand extends BenchmarkCommand<LearningReport> {

  @Option(
      names = "--stream",
      paramLabel = "FILE",
      defaultValue = "../shared/data/banking77/stream.jsonl",
      description = {
        "Messages, one JSON object with id, text and intent per line (default: ${DEFAULT-VALUE})."
      })
  private Path stream = Path.of("");

  @Option(
      names = "--messages",
      paramLabel = "N",
      description = "Send the first N messages of the order only (default: all).")
  private int messages = Integer.MAX_VALUE;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      defaultValue = "RANDOM",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private StreamOrder order = StreamOrder.RANDOM;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the order (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--target",
      paramLabel = "SHARE",
      description = "Agreement that is asked for (default: ${DEFAULT-VALUE}).")
  private double target = 0.9;

  @Option(
      names = "--audit",
      paramLabel = "SHARE",
      description = "Audited share (default: ${DEFAULT-VALUE}).")
  private double audit = 0.02;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "50",
      description = "Calls per second that the endpoint serves (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      description = {
        "Documents in flight (default: ${DEFAULT-VALUE}). Those that are in flight when a plan begins do not follow it;",
        "more than a second's calls of the endpoint only wait there."
      })
  private int inFlight = 50;

  @Override
  protected void check() {
    if (messages < 1 || inFlight < 1 || !(rate > 0)) {
      throw new IllegalArgumentException("--messages, --in-flight and --rate must be above 0");
    }
    var _ = learning();
    if (!Files.isReadable(stream)) {
      throw new IllegalArgumentException(
          "--stream %s cannot be read; name a file with id, text and intent per line"
              .formatted(stream));
    }
  }

  private Learning learning() {
    return new Learning(audit, target);
  }

  @Override
  protected LearningReport measure() throws IOException {
    List<StreamMessage> all = StreamMessage.read(stream);
    List<StreamMessage> sent = order.of(all, seed);
    return new LearningBenchmark(
            order,
            sent.subList(0, Math.min(messages, sent.size())),
            learning(),
            rate,
            inFlight,
            Teacher.of(all),
            this::step)
        .run();
  }
}
