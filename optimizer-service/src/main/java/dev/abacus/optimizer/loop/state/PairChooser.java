package dev.abacus.optimizer.loop.state;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.program.StreamJoin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Chooses the labelled pairs that the prompts of a join show: matches and other pairs in turn, each
 * with another document and another partner. So a prompt that leaves out the pairs of its own
 * document and its own partner lacks at most two.
 */
final class PairChooser {

  private PairChooser() {}

  /** The other side of a join: the partners that labels name. */
  sealed interface Partners {

    /** Keys of partners that match a document, or of some that do not, the best ones first. */
    Stream<String> of(ExampleChooser.Candidate document, boolean match);

    /** The pair of a document and a partner. */
    SolvedExample pair(SolvedExample document, String partner, boolean match);
  }

  /**
   * The pairs in the order of their choice; empty if all of them match or none does.
   *
   * @param documents labelled documents in the order in which they are considered
   * @param number maximum number of pairs
   */
  static List<SolvedExample> pairs(
      List<ExampleChooser.Candidate> documents, Partners partners, int number) {
    List<SolvedExample> pairs = new ArrayList<>();
    Set<String> used = new HashSet<>();
    int matches = 0;
    for (ExampleChooser.Candidate document : documents) {
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
  record Items(List<ExampleChooser.Candidate> documents) implements Partners {

    @Override
    public Stream<String> of(ExampleChooser.Candidate document, boolean match) {
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
  record Rights(StreamJoin join, Map<String, ExampleChooser.Candidate> byId) implements Partners {

    static Rights of(StreamJoin join, List<ExampleChooser.Candidate> documents) {
      Map<String, ExampleChooser.Candidate> byId = new TreeMap<>();
      documents.forEach(document -> byId.put(document.example().id(), document));
      return new Rights(join, byId);
    }

    @Override
    public Stream<String> of(ExampleChooser.Candidate document, boolean match) {
      JsonNode label = document.example().label();
      Set<String> own = keys(label);
      return byId.values().stream()
          .filter(right -> fits(document.example().input(), right.example().input()))
          .filter(right ->
              match
                  == (label.isBoolean()
                      ? label.booleanValue()
                      : own.contains(right.example().id())))
          .sorted(Comparator.comparingDouble(document::wordDistance))
          .map(right -> right.example().id());
    }

    private boolean fits(Document left, Document right) {
      String on = join.on();
      return on == null || (left.has(on) && left.get(on).equals(right.get(on)));
    }

    @Override
    public SolvedExample pair(SolvedExample document, String partner, boolean match) {
      Document right = Objects.requireNonNull(byId.get(partner)).example().input();
      return SolvedExample.ofPair(
          document.id(), ExampleChooser.read(join, document.input()), right, match);
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
