package dev.abacus.deploy.evaluation.bench;

import dev.abacus.optimizer.learned.LabelledVector;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.embedding.MiniLmEmbedder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Measures the classifier of a learned cascade without a model: BANKING77 with real labels and
 * embeddings computed in this process. It answers two questions: the intent of a message out of 77
 * (as a map), and whether the customer reports a problem (as a filter).
 *
 * <p>Tests on the split {@code test} if the data has one, otherwise on {@code validation}; trains
 * on the rest. Every run draws a new random training set.
 */
public final class CascadeBenchmark {

  private static final int BATCH = 64;

  private final List<BankingMessage> training;
  private final List<BankingMessage> test;
  private final List<Double> targets;
  private final int runs;

  /**
   * Creates a benchmark.
   *
   * @param data folder with {@code messages.jsonl}
   * @param targets required shares of correct answers, each in (0, 1)
   * @param runs random training sets per size
   * @throws dev.abacus.deploy.file.InvalidFileException if the data is missing or malformed
   */
  public CascadeBenchmark(Path data, List<Double> targets, int runs) {
    List<BankingMessage> all = BankingMessage.read(data);
    boolean hasTest = all.stream().anyMatch(message -> message.split().equals("test"));
    String held = hasTest ? "test" : "validation";
    this.test = all.stream().filter(message -> message.split().equals(held)).toList();
    this.training = all.stream().filter(message -> !message.split().equals(held)).toList();
    this.targets = List.copyOf(targets);
    this.runs = runs;
  }

  /**
   * Runs the benchmark.
   *
   * @param sizes training set sizes; larger ones are reduced to the available messages
   * @param progress receives a description of each step
   * @throws IllegalStateException if embedding fails
   */
  public List<CascadeReport> run(List<Integer> sizes, Consumer<String> progress)
      throws InterruptedException {
    progress.accept("embedding %d messages".formatted(training.size() + test.size()));
    long start = System.nanoTime();
    List<float[]> trainingVectors = embed(training);
    List<float[]> testVectors = embed(test);
    progress.accept(
        "%.1f ms each"
            .formatted((System.nanoTime() - start) / 1e6 / (training.size() + test.size())));
    List<CascadeReport> reports = new ArrayList<>();
    for (Question question : List.of(intent(), problem())) {
      List<LabelledVector> pool = question.label(training, trainingVectors);
      List<LabelledVector> held = question.label(test, testVectors);
      for (int size : sizes.stream().map(s -> Math.min(s, pool.size())).distinct().toList()) {
        progress.accept("%s, %d examples".formatted(question.name(), size));
        reports.addAll(report(question, pool, held, size));
      }
    }
    return reports;
  }

  private List<CascadeReport> report(
      Question question, List<LabelledVector> pool, List<LabelledVector> held, int size) {
    List<CascadeRun> made = new ArrayList<>();
    for (int seed = 0; seed < (size < pool.size() ? runs : 1); seed++) {
      made.add(CascadeRun.of(question.classes(), pool, size, held, seed));
    }
    return targets.stream().map(target -> report(question, made, size, target)).toList();
  }

  private CascadeReport report(Question question, List<CascadeRun> made, int size, double target) {
    List<CascadeRun.Outcome> outcomes =
        made.stream().map(run -> run.at(target)).filter(Objects::nonNull).toList();
    return new CascadeReport(
        question.name(),
        question.classes().size(),
        size,
        test.size(),
        target,
        made.size(),
        made.size() - outcomes.size(),
        outcomes.stream().mapToDouble(CascadeRun.Outcome::accuracy).average().orElse(0),
        outcomes.stream().mapToDouble(CascadeRun.Outcome::alone).sum() / made.size(),
        outcomes.stream()
            .mapToDouble(CascadeRun.Outcome::precision)
            .filter(Double::isFinite)
            .average()
            .orElse(0),
        outcomes.stream()
            .mapToDouble(outcome -> outcome.precision() >= target ? 1 : 0)
            .average()
            .orElse(0),
        made.stream().mapToDouble(CascadeRun::seconds).average().orElse(0));
  }

  /** A question about every message, with the possible answers as JSON. */
  private record Question(
      String name, List<String> classes, Function<BankingMessage, String> answer) {

    List<LabelledVector> label(List<BankingMessage> messages, List<float[]> vectors) {
      List<LabelledVector> labelled = new ArrayList<>();
      for (int i = 0; i < messages.size(); i++) {
        BankingMessage message = messages.get(i);
        int answer = classes.indexOf(this.answer.apply(message));
        labelled.add(new LabelledVector(message.id(), vectors.get(i), answer, true));
      }
      return labelled;
    }
  }

  private Question intent() {
    Function<BankingMessage, String> answer = message -> '"' + message.intent() + '"';
    return new Question(
        "intent", training.stream().map(answer).distinct().sorted().toList(), answer);
  }

  private static Question problem() {
    return new Question(
        "problem", List.of("true", "false"), message -> String.valueOf(message.problem()));
  }

  private static List<float[]> embed(List<BankingMessage> messages) throws InterruptedException {
    List<String> texts = messages.stream().map(BankingMessage::text).toList();
    List<float[]> vectors = new ArrayList<>();
    try (MiniLmEmbedder embedder = new MiniLmEmbedder()) {
      for (int from = 0; from < texts.size(); from += BATCH) {
        List<String> batch = texts.subList(from, Math.min(from + BATCH, texts.size()));
        switch (embedder.embed(batch)) {
          case EmbeddingAnswer.Success success ->
              success.embeddings().stream().map(Embedding::toArray).forEach(vectors::add);
          case EmbeddingAnswer.Failed failed ->
              throw new IllegalStateException(failed.failure().message());
        }
      }
    }
    return vectors;
  }
}
