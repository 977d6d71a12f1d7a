package dev.abacus.schemas.program.io;

import dev.abacus.schemas.input.BoundedJson;
import dev.abacus.schemas.input.BoundedYaml;
import dev.abacus.schemas.input.Keyword;
import dev.abacus.schemas.program.io.InvalidTextException.Problem;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A node of a YAML or JSON text, with its line and path.
 *
 * <p>Reading does not throw: it notes a mistake and returns a substitute (null, an empty text), so
 * that one pass finds every mistake, or the first thousand. {@link #finish} throws if a mistake was
 * noted. {@link #refuseOtherKeys} notes keys that were never read, with the nearest valid name.
 */
public final class YamlNode {

  /** More problems, or longer ones, help nobody, and hostile texts have many of both. */
  private static final int MOST_PROBLEMS = 1_000;

  private static final int LONGEST_TEXT = 1_000;

  private final Node node;
  private final String path;
  private final List<Problem> problems;

  /** The entries of a mapping, in order; empty for anything else. */
  private final Map<String, YamlNode> entries = new LinkedHashMap<>();

  private final Set<String> asked = new LinkedHashSet<>();

  private YamlNode(Node node, String path, List<Problem> problems) {
    this.node = node;
    this.path = shortened(path);
    this.problems = problems;
    if (node instanceof MappingNode mapping) {
      mapping.getValue().forEach(this::addEntry);
    }
  }

  /**
   * Parses a text and returns its root.
   *
   * @throws InvalidTextException if the text is not well-formed or exceeds a limit of {@link
   *     BoundedYaml}
   */
  public static YamlNode parse(String text) throws InvalidTextException {
    try {
      return new YamlNode(BoundedYaml.compose(text), "", new ArrayList<>());
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      String hint =
          e.getProblem().startsWith("mapping values")
              ? "; a text that contains ': ' needs quotes"
              : "";
      throw new InvalidTextException(
          List.of(new Problem(line, "", "not well-formed: " + e.getProblem() + hint)));
    } catch (YamlEngineException e) {
      throw new InvalidTextException(
          List.of(new Problem(1, "", "not well-formed: " + e.getMessage())));
    }
  }

  private void addEntry(NodeTuple tuple) {
    if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
      note("keys must be plain text");
      return;
    }
    String name = key.getValue();
    String entryPath = path.isEmpty() ? name : path + "." + name;
    YamlNode entry = new YamlNode(tuple.getValueNode(), entryPath, problems);
    if (entries.put(name, entry) != null) {
      entry.note("the key stands twice");
    }
  }

  /** Notes a mistake at this node, unless there are too many. */
  public void note(String message) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(new Problem(line(), path, shortened(message)));
    }
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
  }

  public int line() {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }

  public boolean isMapping() {
    return node instanceof MappingNode;
  }

  /** Keys of a mapping, in order; empty for other nodes. */
  public Set<String> keys() {
    return entries.keySet();
  }

  /** The entry with this key, or null if it is absent or null. */
  public @Nullable YamlNode optional(String key) {
    asked.add(key);
    YamlNode entry = entries.get(key);
    return entry == null || entry.isNull() ? null : entry;
  }

  /** The entry with this key; notes a missing entry and returns null. */
  public @Nullable YamlNode required(String key) {
    YamlNode entry = optional(key);
    if (entry == null && isMapping()) {
      note("'" + key + "' is missing");
    }
    return entry;
  }

  /**
   * What a reader makes of the entries of a mapping, by key, in order. It returns null for an entry
   * with a mistake, which is left out. Empty if there is no node.
   */
  public static <T> Map<String, T> entries(
      @Nullable YamlNode node, BiFunction<String, YamlNode, @Nullable T> reader) {
    Map<String, T> read = new LinkedHashMap<>();
    if (node != null && node.requireMapping()) {
      for (String key : node.keys()) {
        T value = node.required(key, entry -> reader.apply(key, entry));
        if (value != null) {
          read.put(key, value);
        }
      }
    }
    return read;
  }

  /** Notes a mistake if this is not a mapping; returns whether it is one. */
  public boolean requireMapping() {
    if (!isMapping()) {
      note("expected keys and values, found " + describe());
    }
    return isMapping();
  }

  /** Notes every key that was never read, with the nearest valid key. */
  public void refuseOtherKeys() {
    for (Map.Entry<String, YamlNode> entry : entries.entrySet()) {
      if (!asked.contains(entry.getKey())) {
        entry.getValue().note(NameSuggestions.unknown("key", entry.getKey(), asked));
      }
    }
  }

  /** Notes a mistake if this is not a mapping, and every key that was never read. */
  public void endMapping() {
    if (requireMapping()) {
      refuseOtherKeys();
    }
  }

  /** The items of a list; any other node is a list of one. */
  public List<YamlNode> items() {
    if (!(node instanceof SequenceNode sequence)) {
      return List.of(this);
    }
    List<YamlNode> items = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      items.add(new YamlNode(item, path + "[" + items.size() + "]", problems));
    }
    return items;
  }

  /** A scalar as written, which may be empty; notes a mistake and returns "" for other nodes. */
  public String scalar() {
    if (node instanceof ScalarNode scalar && !isNull()) {
      return scalar.getValue();
    }
    note("expected text, found " + describe());
    return "";
  }

  /** The text of a scalar; notes a mistake if it is blank, and for other nodes. */
  public String text() {
    String text = scalar();
    if (text.isBlank() && node instanceof ScalarNode && !isNull()) {
      note("is empty");
    }
    return text;
  }

  /** The text of a required entry; empty if missing. */
  public String text(String key) {
    YamlNode entry = required(key);
    return entry == null ? "" : entry.text();
  }

  /** The text of an entry, or a default; it may be blank if the default is. */
  public String text(String key, String otherwise) {
    return optional(key, otherwise.isEmpty() ? YamlNode::scalar : YamlNode::text, otherwise);
  }

  /** The texts of a list entry; empty if missing. */
  public List<String> texts(String key) {
    YamlNode entry = optional(key);
    return entry == null ? List.of() : entry.texts();
  }

  /** The texts of this list; one that stands twice counts once. */
  public List<String> texts() {
    return items().stream().map(YamlNode::text).distinct().toList();
  }

  /** A number; notes a mistake and returns null for other nodes. */
  public @Nullable BigDecimal number() {
    try {
      if (node instanceof ScalarNode scalar && !isNull()) {
        return BoundedJson.number(scalar.getValue().replace("_", ""));
      }
    } catch (IllegalArgumentException e) {
      // Noted below, as for every node that is not a number.
    }
    note("expected a number, found " + describe());
    return null;
  }

  /** An integer; notes a mistake and returns null for other nodes. */
  public @Nullable Long whole() {
    BigDecimal number = number();
    if (number == null) {
      return null;
    }
    try {
      return number.longValueExact();
    } catch (ArithmeticException e) {
      note("expected a whole number of at most 18 digits, found " + number);
      return null;
    }
  }

  /** A boolean; notes a mistake and returns false for other nodes. */
  public boolean bool() {
    if (node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.BOOL)) {
      return Boolean.parseBoolean(scalar.getValue());
    }
    note("expected true or false, found " + describe());
    return false;
  }

  /** One of the choices; notes the nearest choice and returns null for other texts. */
  public @Nullable String choice(String kind, Collection<String> choices) {
    String text = text();
    if (choices.contains(text)) {
      return text;
    }
    if (!text.isBlank()) {
      note(NameSuggestions.unknown(kind, text, choices));
    }
    return null;
  }

  /** A boolean entry, or a default. */
  public boolean bool(String key, boolean otherwise) {
    YamlNode entry = optional(key);
    return entry == null ? otherwise : entry.bool();
  }

  /** What a reader makes of a required entry; null if it is missing, which is noted. */
  public <T> @Nullable T required(String key, Function<YamlNode, @Nullable T> reader) {
    YamlNode entry = required(key);
    return entry == null ? null : reader.apply(entry);
  }

  /** What a reader makes of an optional entry; the default if there is none, or a mistake. */
  public <T> T optional(String key, Function<YamlNode, @Nullable T> reader, T otherwise) {
    T read = optional(key, reader);
    return read == null ? otherwise : read;
  }

  /** What a reader makes of an optional entry; null if there is none. */
  public <T> @Nullable T optional(String key, Function<YamlNode, @Nullable T> reader) {
    YamlNode entry = optional(key);
    return entry == null ? null : reader.apply(entry);
  }

  /** The number as a double, or null with a problem. */
  public @Nullable Double real() {
    BigDecimal number = number();
    return number == null ? null : number.doubleValue();
  }

  /** The constant that the text names; null with a problem if it names none. */
  public <E extends Enum<E> & Keyword> @Nullable E choice(String kind, Class<E> type) {
    return Keyword.find(type, choice(kind, Keyword.labels(type)));
  }

  /** The constant that an optional entry names. */
  public <E extends Enum<E> & Keyword> E choice(String key, E usual) {
    return optional(key, entry -> entry.choice(key, usual.getDeclaringClass()), usual);
  }

  /** Runs a constructor; an exception that states a mistake becomes a note, and null. */
  public <T> @Nullable T build(java.util.function.Supplier<T> constructor) {
    try {
      return constructor.get();
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
      note(String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Runs a constructor with what was read; null if that has a mistake. */
  public <V, T> @Nullable T build(@Nullable V read, Function<V, T> constructor) {
    return read == null ? null : build(() -> constructor.apply(read));
  }

  /**
   * The value, if the text has no mistakes.
   *
   * @throws InvalidTextException with every mistake, by line
   */
  public <T> T finish(@Nullable T value) throws InvalidTextException {
    if (!problems.isEmpty() || value == null) {
      problems.sort(java.util.Comparator.comparingInt(Problem::line));
      throw new InvalidTextException(problems);
    }
    return value;
  }

  /** Whether a mistake was noted anywhere in the text. */
  public boolean hasProblems() {
    return !problems.isEmpty();
  }

  private boolean isNull() {
    return node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.NULL);
  }

  private String describe() {
    return switch (node) {
      case MappingNode _ -> "keys and values";
      case SequenceNode _ -> "a list";
      case ScalarNode _ when isNull() -> "nothing";
      case ScalarNode scalar -> "'" + scalar.getValue() + "'";
      default -> "an alias";
    };
  }
}
