package dev.abacus.optimizer.loop.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.optimizer.loop.event.ContentHashes;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.WithExamples;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.aggregate.GroupKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses the labelled examples that the prompts of {@link WithExamples} show.
 *
 * <p>Farthest-first traversal: the next example is the one whose smallest distance from those
 * before it is largest. The distance of two examples is the Jaccard distance of their words, plus 1
 * if their labels differ, so that all answers of an operator with few answers are shown first. The
 * choice is a function of the examples, so a restart makes the same one.
 */
public final class ExampleChooser {

  /** Maximum length of an example: a prompt contains it for every document. */
  static final int MOST_CHARACTERS = 4_000;

  /** Number of examples, by hash of their ids, among which the choice is made. */
  private static final int CANDIDATES = 100;

  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");

  /**
   * The examples among which the choice is made.
   *
   * @param rights documents of the second stream of a join; empty for other operators
   */
  private record Candidates(List<SolvedExample> documents, List<SolvedExample> rights) {}

  private record Chosen(Candidates from, List<SolvedExample> chosen) {}

  /**
   * What the choice is made from.
   *
   * @param arms the implementations by operator id
   * @param examples that prompts may show
   * @param readsSource whether an operator reads only fields of a source as they are there
   */
  public record Given(
      Program program,
      Map<String, List<PhysicalOperator>> arms,
      List<ValidationExample> examples,
      BiPredicate<LogicalOperator, String> readsSource) {}

  /** A labelled example with the words of its input. */
  record Candidate(SolvedExample example, Set<String> words) {

    private double distance(Candidate other) {
      return wordDistance(other) + (example.label().equals(other.example.label()) ? 0 : 1);
    }

    /** Jaccard distance of the words. */
    double wordDistance(Candidate other) {
      int common = 0;
      for (String word : words) {
        common += other.words.contains(word) ? 1 : 0;
      }
      int all = words.size() + other.words.size() - common;
      return all == 0 ? 0 : 1 - (double) common / all;
    }
  }

  private final Map<String, Chosen> remembered = new HashMap<>();

  /**
   * The examples in the order of their choice, by operator id: one more than a plan contains,
   * because the prompt about an example does not show that example.
   */
  public Map<String, List<SolvedExample>> choose(Given given) {
    Map<String, List<SolvedExample>> chosen = new HashMap<>();
    for (LogicalOperator operator : given.program().semanticOperators()) {
      int most =
          given.arms().getOrDefault(operator.id(), List.of()).stream()
              .mapToInt(
                  arm -> arm instanceof WithExamples few && few.examples() > 0 ? few.stored() : 0)
              .max()
              .orElse(0);
      if (most > 0) {
        Candidates candidates = new Candidates(documents(given, operator), rights(given, operator));
        Chosen before = remembered.get(operator.id());
        if (before == null || !before.from().equals(candidates)) {
          before = new Chosen(candidates, chosen(operator, candidates, most + 1));
          remembered.put(operator.id(), before);
        }
        chosen.put(operator.id(), before.chosen());
      }
    }
    return chosen;
  }

  private static List<SolvedExample> chosen(
      LogicalOperator operator, Candidates candidates, int number) {
    List<SolvedExample> documents = candidates.documents();
    return switch (operator) {
      case ReferenceJoin _ -> {
        List<Candidate> ordered = farthestFirst(documents, documents.size());
        yield pairs(ordered, new Items(ordered), number);
      }
      case StreamJoin join ->
          pairs(
              farthestFirst(documents, documents.size()),
              Rights.of(join, withWords(candidates.rights())),
              number);
      case LogicalOperator _ ->
          farthestFirst(documents, number).stream().map(Candidate::example).toList();
    };
  }

  /** Labelled examples of moderate size without images, in order of a hash; one per input. */
  private static List<SolvedExample> documents(Given given, LogicalOperator operator) {
    return showable(
        given.examples().stream()
            .filter(example ->
                operator instanceof StreamJoin join
                    ? example.source().equals(join.input()) && joinsSources(join, given.program())
                    : given.readsSource().test(operator, example.source()))
            .filter(example -> example.label(operator.id()) != null)
            .map(example ->
                new SolvedExample(
                    example.id(),
                    operator instanceof StreamJoin
                        ? example.document()
                        : read(operator, example.document()),
                    Objects.requireNonNull(example.label(operator.id())))));
  }

  /** Documents of the second stream of a join, like {@link #documents}. */
  private static List<SolvedExample> rights(Given given, LogicalOperator operator) {
    return operator instanceof StreamJoin join && joinsSources(join, given.program())
        ? showable(
            given.examples().stream()
                .filter(example -> example.source().equals(join.with()))
                .map(example ->
                    new SolvedExample(example.id(), example.document(), NullNode.getInstance())))
        : List.of();
  }

  private static boolean joinsSources(StreamJoin join, Program program) {
    Set<String> sources =
        program.sources().stream().map(Program.Source::name).collect(Collectors.toSet());
    return sources.containsAll(join.inputs());
  }

  private static List<SolvedExample> showable(Stream<SolvedExample> examples) {
    Map<Document, SolvedExample> byInput = new LinkedHashMap<>();
    examples
        .filter(ExampleChooser::isShowable)
        .sorted(
            Comparator.comparing(
                (SolvedExample example) -> ContentHashes.of(ContentHashes.bytes(example.id()))))
        .forEach(example -> byInput.putIfAbsent(example.input(), example));
    return byInput.values().stream().limit(CANDIDATES).toList();
  }

  /** The fields of a document that the operator shows to a model; of a pair the left ones. */
  public static Document read(LogicalOperator operator, Document document) {
    List<String> read = operator.seenByModel();
    if (!read.isEmpty() || !(operator instanceof StreamJoin join)) {
      return read.isEmpty() ? document : document.only(read);
    }
    ObjectNode left = document.toJson();
    left.remove(join.into());
    return Document.of(left);
  }

  private static boolean isShowable(SolvedExample example) {
    return isShowable(example.input(), example.label().toString().length());
  }

  /**
   * Whether an example is of moderate size and has no images.
   *
   * @param characters length of what is shown besides the input
   */
  static boolean isShowable(Document input, int characters) {
    return !input.isEmpty()
        && input.toBytes().length + characters <= MOST_CHARACTERS
        && !hasImages(input);
  }

  static boolean hasImages(Document document) {
    JsonNode fields = document.toJson();
    return fields.findValue("uri") != null || fields.findValue("bytes") != null;
  }

  private static List<Candidate> farthestFirst(List<SolvedExample> candidates, int number) {
    List<Candidate> left = withWords(candidates);
    List<Candidate> chosen = new ArrayList<>();
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
      chosen.add(next);
      for (Candidate candidate : left) {
        distances.merge(candidate.example().id(), candidate.distance(next), Math::min);
      }
    }
    return chosen;
  }

  private static List<Candidate> withWords(List<SolvedExample> examples) {
    return examples.stream()
        .map(example -> new Candidate(example, words(example.input())))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static Set<String> words(Document input) {
    String text = input.toJson().toString().toLowerCase(Locale.ROOT);
    return NO_WORD.splitAsStream(text).collect(Collectors.toSet());
  }

  /** The other side of a join: the partners that labels name. */
  private sealed interface Partners {

    /** Keys of partners that match a document, or of some that do not, the best ones first. */
    Stream<String> of(Candidate document, boolean match);

    /** The pair of a document and a partner. */
    SolvedExample pair(SolvedExample document, String partner, boolean match);
  }

  /**
   * The labelled pairs that the prompts of a join show: matches and other pairs in turn, each with
   * another document and another partner. So a prompt that leaves out the pairs of its own document
   * and its own partner lacks at most two.
   *
   * @param documents labelled documents in the order in which they are considered
   * @param number maximum number of pairs
   * @return in the order of their choice; empty if all of them match or none does
   */
  private static List<SolvedExample> pairs(
      List<Candidate> documents, Partners partners, int number) {
    List<SolvedExample> pairs = new ArrayList<>();
    Set<String> used = new HashSet<>();
    int matches = 0;
    for (Candidate document : documents) {
      boolean match = 2 * matches <= pairs.size();
      String partner =
          pairs.size() == number
              ? null
              : partners
                  .of(document, match)
                  .filter(key -> !used.contains(key))
                  .findFirst()
                  .orElse(null);
      if (partner != null) {
        pairs.add(partners.pair(document.example(), partner, match));
        used.add(partner);
        matches += match ? 1 : 0;
      }
    }
    return matches == 0 || matches == pairs.size() ? List.of() : List.copyOf(pairs);
  }

  /**
   * Items of a reference, which the optimizer knows by the labels that name them. An item that does
   * not match a document is one that is right for the most similar other document.
   */
  private record Items(List<Candidate> documents) implements Partners {

    @Override
    public Stream<String> of(Candidate document, boolean match) {
      Set<String> own = keys(document.example().label());
      return match
          ? own.stream()
          : documents.stream()
              .sorted(Comparator.comparingDouble(document::wordDistance))
              .flatMap(other -> keys(other.example().label()).stream())
              .filter(item -> !own.contains(item));
    }

    @Override
    public SolvedExample pair(SolvedExample document, String partner, boolean match) {
      return SolvedExample.ofPair(document.id(), document.input(), partner, match);
    }
  }

  /** Documents of the other stream, by id of their example, in the order of their similarity. */
  private record Rights(StreamJoin join, Map<String, Candidate> byId) implements Partners {

    static Rights of(StreamJoin join, List<Candidate> documents) {
      Map<String, Candidate> byId = new TreeMap<>();
      documents.forEach(document -> byId.put(document.example().id(), document));
      return new Rights(join, byId);
    }

    @Override
    public Stream<String> of(Candidate document, boolean match) {
      JsonNode label = document.example().label();
      Set<String> own = keys(label);
      return byId.values().stream()
          .filter(
              right -> GroupKey.match(join, document.example().input(), right.example().input()))
          .filter(right ->
              match
                  == (label.isBoolean()
                      ? label.booleanValue()
                      : own.contains(right.example().id())))
          .sorted(Comparator.comparingDouble(document::wordDistance))
          .map(right -> right.example().id());
    }

    @Override
    public SolvedExample pair(SolvedExample document, String partner, boolean match) {
      Document right = Objects.requireNonNull(byId.get(partner)).example().input();
      return SolvedExample.ofPair(document.id(), read(join, document.input()), right, match);
    }
  }

  /** The keys that a label names; empty if it has another form. */
  private static Set<String> keys(JsonNode label) {
    Set<String> keys = new LinkedHashSet<>();
    if (label.isArray()) {
      label.forEach(key -> keys.add(key.asText()));
    } else if (label.isTextual()) {
      keys.add(label.asText());
    }
    return keys;
  }
}
