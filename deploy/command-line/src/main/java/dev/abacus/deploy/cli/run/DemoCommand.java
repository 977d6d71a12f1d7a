package dev.abacus.deploy.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.ProgramOptions;
import dev.abacus.deploy.cli.option.SampleFiles;
import dev.abacus.deploy.cli.option.StackOptions;
import dev.abacus.deploy.cli.report.Progress;
import dev.abacus.deploy.job.ExampleFile;
import dev.abacus.deploy.job.InputDocument;
import dev.abacus.deploy.job.Job;
import dev.abacus.deploy.local.LocalStack;
import dev.abacus.deploy.local.PlaneSettings;
import dev.abacus.schemas.program.Program;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus demo}. */
@Command(
    name = "demo",
    description =
        "Demonstration of half a minute: starts a local stack, searches a plan for the sample "
            + "program, sends documents, changes the objective, and shows how the plan changes.",
    footer = "  abacus demo --documents 60")
public final class DemoCommand implements Runnable {

  /** Speed of the simulated models: the flow is visible and takes about fifteen seconds. */
  private static final double PACE = 8;

  @Option(
      names = "--documents",
      paramLabel = "N",
      description = "Number of documents (default: all 132; above that, documents repeat).")
  private @Nullable Integer count;

  @Option(names = "--keep-running", description = "Keep the stack running at the end.")
  private boolean keepRunning;

  @Mixin private StackOptions stackOptions = new StackOptions();
  @Mixin private ProgramOptions programs = new ProgramOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    if (count != null && count < 4) {
      throw CommandFailure.invalid(
          "--documents is " + count, "Give at least 4, so that some flow under either plan.");
    }
    try (SampleFiles sample = SampleFiles.extract()) {
      Program program = programs.read(sample.file("program.yaml"));
      List<InputDocument> documents = documents(sample, program);
      say("starting a local stack");
      try (LocalStack stack =
          stackOptions.start(
              stackOptions.models(),
              new StackOptions.Simulation(List.of(sample.file("answers.jsonl")), PACE),
              PlaneSettings.NONE,
              false,
              programs,
              List.of(program),
              line -> say("  " + line))) {
        stack.createTopics(program);
        ObjectNode answer = flow(stack, program, sample, documents);
        if (output.json()) {
          answer.set("stack", UpCommand.json(stack));
          output.value(answer);
        }
        if (keepRunning) {
          say(
              "still up: Kafka at %s; Ctrl-C stops everything"
                  .formatted(stack.connection().bootstrapServers()));
          Termination.await();
        }
      }
    }
  }

  private ObjectNode flow(
      LocalStack stack, Program program, SampleFiles sample, List<InputDocument> documents) {
    try (Job job = Job.open(stack.connection(), program);
        Progress progress = new Progress(output)) {
      job.sendExamples(ExampleFile.read(sample.file("validation.jsonl"), program));
      return new DemoWalkthrough(stack, program, job, progress, programs.catalogue(), this::say)
          .tell(documents);
    }
  }

  private List<InputDocument> documents(SampleFiles sample, Program program) {
    Path file = sample.file("documents.jsonl");
    List<InputDocument> all = InputDocument.read(file, program.sources().getFirst());
    int size = count == null ? all.size() : count;
    return IntStream.range(0, size).mapToObj(i -> all.get(i % all.size())).toList();
  }

  /** Prints the story to standard error if standard output is JSON. */
  private void say(String line) {
    if (output.json()) {
      output.note(line);
    } else {
      output.line(line);
    }
  }
}
