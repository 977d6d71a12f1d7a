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
 * What the classifier of a learned cascade does alone: BANKING77, real labels, embeddings made in
 * this process, no model at all. Two questions: which of 77 intents a message has, as a map asks,
 * and whether the customer reports a problem, as a filter asks.
 *
 * <p>Tried on the split {@code test} where the data has one, trained on the rest; else tried on
 * {@code validation}. Training sets are drawn at random, anew for every run.
 */
public final class CascadeBenchmark {

  private static final int BATCH = 64;

  private final List<BankingMessage> training;
  private final List<BankingMessage> test;
  private final List<Double> targets;
  private final int runs;

  /**
   * A benchmark.
   *
   * @param data folder with {@code messages.jsonl}
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
   * Runs it.
   *
   * @param sizes of training sets; those larger than what there is are cut down to it
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

  /** Something that is asked of every message, with its possible answers as JSON texts. */
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
