package dev.abacus.deploy.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.InputFiles;
import dev.abacus.deploy.cli.option.KafkaOptions;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.PriorsFile;
import dev.abacus.deploy.cli.option.ProgramFile;
import dev.abacus.deploy.cli.option.ProgramOptions;
import dev.abacus.deploy.cli.option.StackOptions;
import dev.abacus.deploy.cli.option.TopicOptions;
import dev.abacus.deploy.cli.report.JobSummary;
import dev.abacus.deploy.cli.report.Progress;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.deploy.cluster.TopicWriter;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.deploy.job.ExampleFile;
import dev.abacus.deploy.job.Job;
import dev.abacus.deploy.job.JobFailure;
import dev.abacus.deploy.job.JobInput;
import dev.abacus.deploy.job.JobResult;
import dev.abacus.deploy.job.JobSnapshot;
import dev.abacus.deploy.local.LocalStack;
import dev.abacus.deploy.local.PlaneSettings;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.LearningReport;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus run}. */
@Command(
    name = "run",
    description = {
      "Run a program over files: applies it, sends references, validation examples and "
          + "documents, waits for the outcome of every document, and writes the results in the "
          + "documents' order.",
      "Uses a local stack with --local, else the Kafka of --bootstrap-server."
    },
    footer = {
      "  abacus run program.yaml --local --documents documents.jsonl --validation validation.jsonl \\\\",
      "    --answers answers.jsonl --results results.jsonl"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every document has an outcome",
      "1:the run failed; results that came back are in the file",
      "2:bad usage or invalid input",
      "3:more documents became dead letters than --allow-dead-letters",
      "130:stopped by Ctrl-C or SIGTERM; results that came back are in the file"
    })
public final class RunCommand implements Callable<Integer> {

  /** Exit code: the run ended, and more documents than allowed became dead letters. */
  private static final int DEAD_LETTERS = 3;

  /** Speed of simulated models: no other job waits for them, so they answer quickly. */
  private static final double PACE = 10;

  private static final int SHOWN_FAILURES = 5;

  /** Time for the optimizer to read a program and its examples. */
  private static final Duration REACTION = Duration.ofSeconds(2);

  @Mixin private ProgramFile file = new ProgramFile();

  @Option(
      names = "--results",
      required = true,
      paramLabel = "OUT.jsonl",
      description = "Results file.")
  private Path resultsFile = Path.of("");

  @Option(
      names = "--labels",
      paramLabel = "F.jsonl",
      description = "Labels of the documents, by 'id'; results are scored by the metrics.")
  private @Nullable Path labelsFile;

  @Option(
      names = "--with-headers",
      description = "Add to every result, under 'abacus', its key, epoch, cost and latency.")
  private boolean withHeaders;

  @Option(
      names = "--dead-letters",
      paramLabel = "OUT.jsonl",
      description = "File of the dead letters: reason, operator, source position and document.")
  private @Nullable Path deadLettersFile;

  @Option(
      names = "--allow-dead-letters",
      paramLabel = "N",
      description =
          "Number of dead letters up to which the exit code is 0 instead of 3 (default: "
              + "${DEFAULT-VALUE}).")
  private int allowedDeadLetters;

  @Option(
      names = "--create-topics",
      description = "Create missing topics on the Kafka of --bootstrap-server.")
  private boolean createTopics;

  @Option(names = "--local", description = "Start a local stack, and stop it at the end.")
  private boolean local;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      description =
          "Give up after this time without a change, also while calls wait for a model "
              + "(default: 300, but no end while calls wait).")
  private @Nullable Integer patience;

  @Option(
      names = "--priors",
      paramLabel = "SOURCE",
      description =
          "Priors of implementations: naive (published model data), a file in the format of "
              + "`abacus priors`, or none (default: the priors on the cluster).")
  private @Nullable String priors;

  @Mixin private InputFiles files = new InputFiles();
  @Mixin private StackOptions stackOptions = new StackOptions();
  @Mixin private TopicOptions topics = new TopicOptions();
  @Mixin private KafkaOptions kafka = new KafkaOptions();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    // While it waits for documents, it writes what came back first.
    try (Termination _ = Termination.onSignal(() -> System.exit(CommandFailure.INTERRUPTED))) {
      return run();
    }
  }

  private int run() {
    CommandFailure.require(
        allowedDeadLetters >= 0,
        "--allow-dead-letters is " + allowedDeadLetters,
        "Give 0 or more.");
    Program program = file.read();
    JobInput input = files.read(program);
    JsonLines.requireWritable(resultsFile);
    if (deadLettersFile != null) {
      JsonLines.requireWritable(deadLettersFile);
    }
    InputFiles.requireDocuments(program, input);
    InputFiles.remarks(program, input).forEach(remark -> output.note("note: " + remark));
    String believed =
        priors == null || priors.equals(PriorsFile.NONE)
            ? null
            : PriorsFile.resolve(priors, program, file.catalogue(), output);
    LabelScoring scoring =
        LabelScoring.of(
            program,
            labelsFile == null ? Map.of() : ExampleFile.readLabels(labelsFile, program),
            input,
            file.catalogue());
    if (local) {
      ProgramOptions.checkTopics(program, List.of(), KafkaNames.UNPREFIXED);
      InputFiles.requireReferences(program, input);
      PlaneSettings planes = PlaneSettings.of(scoring.settings(kafka.given()));
      try (LocalStack stack =
          stackOptions.start(
              stackOptions.modelsOrOpenAi(),
              new StackOptions.Simulation(known(), PACE),
              planes,
              program.usesRegistry(),
              file,
              List.of(program),
              output::note)) {
        stack.createTopics(program);
        Map<String, String> settings = new HashMap<>(stack.connection().properties());
        if (stack.registryUrl() != null) {
          settings.put(KafkaOptions.REGISTRY, stack.registryUrl());
        }
        return run(program, input, scoring, believed, settings, stack.simulated());
      }
    } else if (kafka.isGiven()) {
      KafkaConnection connection = kafka.connect();
      ProgramOptions.checkTopics(program, List.of(), connection.names());
      connection.requireAccess(Role.RUN, List.of(program));
      if (createTopics) {
        connection.requireAccess(Role.TOPICS_CREATE, List.of(program));
        TopicCreation creation = topics.creation();
        creation.createShared(connection);
        creation.create(connection, program);
      } else {
        connection.requireTopics(topics(connection.names(), program), file.path());
      }
      return run(program, input, scoring, believed, kafka.settings(), null);
    }
    throw CommandFailure.invalid(
        "where is the program to run?",
        "Add --local for a stack of its own, or --bootstrap-server HOST:PORT: `abacus run %s --local --documents %s --results %s`."
            .formatted(
                JsonLines.argument(file.path()),
                JsonLines.argument(files.firstDocuments()),
                JsonLines.argument(resultsFile)));
  }

  private static Set<String> topics(KafkaNames names, Program program) {
    Set<String> topics = new TreeSet<>();
    program.sources().forEach(source -> topics.add(source.topic()));
    program.references().forEach(reference -> topics.add(reference.topic()));
    topics.add(program.results().topic());
    topics.add(names.validation(program));
    topics.add(names.deadLetters(program.name()));
    topics.addAll(List.of(names.control(), names.status(), names.rejections()));
    return topics;
  }

  /** The answers file beside the documents, as in the examples. */
  private List<Path> known() {
    Path beside = files.firstDocuments().toAbsolutePath().resolveSibling("answers.jsonl");
    if (stackOptions.isOpenAiByKeyAlone()) {
      output.note(
          "OPENAI_API_KEY is set: calls go to https://api.openai.com/v1 and cost money;"
              + " --answers FILE selects simulated models");
    }
    if (stackOptions.hasAnswers() || stackOptions.modelsOrOpenAi() != null) {
      return List.of();
    }
    if (Files.isRegularFile(beside)) {
      output.note("simulated models know " + beside);
      return List.of(beside);
    }
    output.note("simulated models know none of these documents; --answers would teach them");
    return List.of();
  }

  private int run(
      Program program,
      JobInput input,
      LabelScoring scoring,
      @Nullable String believed,
      Map<String, String> settings,
      @Nullable Boolean simulated) {
    long start = System.nanoTime();
    KafkaConnection connection = new KafkaConnection(settings);
    ControlTopic control = new ControlTopic(connection, file.catalogue());
    try (Job job = Job.open(connection, program);
        Progress progress = new Progress(output)) {
      job.sendReferences(input.references());
      job.sendExamples(input.examples());
      if (priors != null) {
        TopicWriter.givePriors(connection, program.name(), believed);
      }
      control.write(new ControlRecord.ProgramSet(program));
      JobWatch watch =
          new JobWatch(
              job,
              progress,
              new StallTimer(
                  patience == null ? null : Duration.ofSeconds(patience), System::nanoTime));
      work(job, input, watch);
      progress.pause();
      double seconds = (System.nanoTime() - start) / 1e9;
      JobSnapshot end = job.snapshot();
      report(
          job,
          new JobSummary(
              program.name(),
              end,
              seconds,
              control.read().plan(program.name(), busiest(end.resultsByEpoch())),
              program.learning() == null
                  ? List.of()
                  : LearningReport.describe(program, end.search()),
              scoring.scores(job),
              job.instances().equals(Set.of(LocalStack.SIMULATED)) ? Boolean.TRUE : simulated));
      return exitCode(end.deadLetters(), allowedDeadLetters);
    }
  }

  /** The exit code of a run in which every document has an outcome. */
  static int exitCode(int deadLetters, int allowed) {
    return deadLetters > allowed ? DEAD_LETTERS : 0;
  }

  /** Sends the documents and waits for their outcomes; writes those that arrived in any case. */
  private void work(Job job, JobInput input, JobWatch watch) {
    try (Termination _ = Termination.onSignal(watch::stop)) {
      if (!input.examples().isEmpty()) {
        // A report until now may concern the previous version of the program.
        watch.within(REACTION, _ -> false);
        Instant old = job.snapshot().searchReportedAt();
        watch.until(snapshot -> snapshot.searchedSince(old));
      }
      input.documents().forEach(job::send);
      job.endInput();
      watch.untilDone();
    } finally {
      write(job);
    }
  }

  /** The epoch with most results; a better plan may have been activated after the last document. */
  private static @Nullable Long busiest(Map<Long, Integer> resultsByEpoch) {
    return resultsByEpoch.entrySet().stream()
        .max(Map.Entry.<Long, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  private void write(Job job) {
    JsonLines.write(
        resultsFile,
        job.results().stream()
            .map((JobResult result) -> withHeaders ? result.withHeaders() : result.output()));
    if (deadLettersFile != null) {
      JsonLines.write(deadLettersFile, job.failures().stream().map(JobFailure::toJson));
    }
  }

  private void report(Job job, JobSummary summary) {
    List<JobFailure> failures = job.failures();
    failures.stream()
        .limit(SHOWN_FAILURES)
        .forEach(failure ->
            output.note(
                "dead letter %s: operator %s: %s"
                    .formatted(failure.key(), failure.operator(), failure.reason())));
    if (failures.size() > SHOWN_FAILURES) {
      output.note(
          "… and %d more dead letters%s"
              .formatted(
                  failures.size() - SHOWN_FAILURES,
                  deadLettersFile == null ? "; --dead-letters FILE keeps all" : ""));
    }
    ObjectNode json = summary.json().put("resultsFile", resultsFile.toString());
    json.put("deadLettersFile", deadLettersFile == null ? null : deadLettersFile.toString());
    List<String> lines = new ArrayList<>(summary.lines());
    lines.add("results are in " + resultsFile);
    if (deadLettersFile != null) {
      lines.add("dead letters are in " + deadLettersFile);
    }
    output.data(json, lines);
  }
}
