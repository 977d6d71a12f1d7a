package dev.abacus.deploy.simulator.truth;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The documents of all answers files, with the ground truth of each. */
public final class KnownDocuments {

  private static final int MOST_VALUES = 2000;

  private final DocumentIndex index = new DocumentIndex();
  private final Map<String, Set<String>> vocabulary = new LinkedHashMap<>();
  private final Map<String, Integer> valued = new LinkedHashMap<>();
  private int size;

  private KnownDocuments() {}

  /**
   * Reads answers files.
   *
   * @throws AnswersFileException if a file cannot be read or a line is invalid
   */
  public static KnownDocuments load(List<Path> files) {
    KnownDocuments answers = new KnownDocuments();
    for (Path file : files) {
      new AnswersFile(file).forEach(answers::add);
    }
    return answers;
  }

  private void add(KnownDocument document, List<String> texts) {
    index.add(document, texts);
    size++;
    document.answers().forEach(this::learn);
  }

  private void learn(String field, JsonNode value) {
    if (value.isArray()) {
      value.forEach(item -> learn(field, item));
    } else if (value.isTextual()) {
      valued.merge(field, 1, Integer::sum);
      Set<String> values = vocabulary.computeIfAbsent(field, key -> new LinkedHashSet<>());
      if (values.size() < MOST_VALUES) {
        values.add(TextNormalizer.of(value));
      }
    }
  }

  /** Number of known documents. */
  public int size() {
    return size;
  }

  /** The documents that the texts quote, in descending order of the quoted share. */
  public List<DocumentIndex.Match> find(List<String> texts) {
    return size == 0 ? List.of() : index.find(texts);
  }

  /**
   * The values of a field over all documents, if they form a closed vocabulary: each value occurs
   * twice on average. Empty otherwise.
   */
  public Set<String> vocabulary(String field) {
    Set<String> values = vocabulary.getOrDefault(field, Set.of());
    return values.size() * 2 <= valued.getOrDefault(field, 0) ? values : Set.of();
  }
}
