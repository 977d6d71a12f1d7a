package dev.abacus.optimizer.loop.state;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Chooses the labelled examples that the prompts of {@link FewShot} show.
 *
 * <p>Farthest-first traversal: the next example is the one whose smallest distance from those
 * before it is largest. The distance of two examples is the Jaccard distance of their words, plus 1
 * if their labels differ, so that all answers of an operator with few answers are shown first. The
 * choice is a function of the examples, so a restart makes the same one.
 */
final class ExampleChooser {

  /** Maximum length of an example: a prompt contains it for every document. */
  static final int MOST_CHARACTERS = 4_000;

  /** Number of examples, by hash of their ids, among which the choice is made. */
  private static final int CANDIDATES = 100;

  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");

  private record Chosen(List<SolvedExample> from, List<SolvedExample> chosen) {}

  private record Candidate(SolvedExample example, Set<String> words) {

    double distance(Candidate other) {
      int common = 0;
      for (String word : words) {
        common += other.words.contains(word) ? 1 : 0;
      }
      int all = words.size() + other.words.size() - common;
      double distance = all == 0 ? 0 : 1 - (double) common / all;
      return distance + (example.label().equals(other.example.label()) ? 0 : 1);
    }
  }

  private final Map<String, Chosen> remembered = new HashMap<>();

  /**
   * The examples in the order of their choice, by operator id: one more than an implementation may
   * show, because the prompt about an example does not show that example.
   *
   * @param arms the implementations by operator id
   */
  Map<String, List<SolvedExample>> choose(
      Program program,
      Map<String, List<PhysicalOperator>> arms,
      Collection<ValidationExample> examples) {
    Map<String, List<SolvedExample>> chosen = new HashMap<>();
    for (LogicalOperator operator : program.semanticOperators()) {
      int most = 0;
      for (PhysicalOperator arm : arms.getOrDefault(operator.id(), List.of())) {
        most = arm instanceof FewShot few ? Math.max(most, few.k()) : most;
      }
      if (most > 0) {
        List<SolvedExample> candidates = candidates(program, operator, examples);
        Chosen before = remembered.get(operator.id());
        int number = most + 1;
        if (before == null || !before.from().equals(candidates)) {
          before = new Chosen(candidates, farthestFirst(candidates, number));
          remembered.put(operator.id(), before);
        }
        chosen.put(operator.id(), before.chosen());
      }
    }
    return chosen;
  }

  /** Labelled examples of moderate size without images, in order of a hash; one per input. */
  private static List<SolvedExample> candidates(
      Program program, LogicalOperator operator, Collection<ValidationExample> examples) {
    Map<Document, SolvedExample> byInput = new LinkedHashMap<>();
    examples.stream()
        .filter(example -> SourceFields.areRead(program, operator, example.source()))
        .sorted(
            Comparator.comparing(
                (ValidationExample example) -> ContentHashes.of(ContentHashes.bytes(example.id()))))
        .forEach(example -> {
          JsonNode label = example.label(operator.id());
          Document input = read(operator, example.document());
          if (label != null && isShowable(input, label)) {
            byInput.putIfAbsent(input, new SolvedExample(example.id(), input, label));
          }
        });
    return byInput.values().stream().limit(CANDIDATES).toList();
  }

  /** The fields of a document that the operator shows to a model. */
  static Document read(LogicalOperator operator, Document document) {
    List<String> read =
        operator instanceof SemanticFilter filter ? filter.shown() : operator.reads();
    return read.isEmpty() ? document : document.only(read);
  }

  private static boolean isShowable(Document input, JsonNode label) {
    int characters = input.toBytes().length + label.toString().length();
    JsonNode fields = input.toJson();
    return !input.isEmpty()
        && characters <= MOST_CHARACTERS
        && fields.findValue("uri") == null
        && fields.findValue("bytes") == null;
  }

  private static List<SolvedExample> farthestFirst(List<SolvedExample> candidates, int number) {
    List<Candidate> left =
        candidates.stream()
            .map(example -> new Candidate(example, words(example.input())))
            .collect(Collectors.toCollection(ArrayList::new));
    List<SolvedExample> chosen = new ArrayList<>();
    Map<String, Double> distances = new HashMap<>();
    while (chosen.size() < number && !left.isEmpty()) {
      Candidate next = left.getFirst();
      for (Candidate candidate : left) {
        if (distances.getOrDefault(candidate.example().id(), 0.0)
            > distances.getOrDefault(next.example().id(), 0.0)) {
          next = candidate;
        }
      }
      left.remove(next);
      chosen.add(next.example());
      for (Candidate candidate : left) {
        distances.merge(candidate.example().id(), candidate.distance(next), Math::min);
      }
    }
    return List.copyOf(chosen);
  }

  private static Set<String> words(Document input) {
    String text = input.toJson().toString().toLowerCase(Locale.ROOT);
    return NO_WORD.splitAsStream(text).collect(Collectors.toSet());
  }
}
