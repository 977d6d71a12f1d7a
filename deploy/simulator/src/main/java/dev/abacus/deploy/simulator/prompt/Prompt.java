package dev.abacus.deploy.simulator.prompt;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A prompt, parsed by the tags that the data plane writes. Text outside the tags is kept. A prompt
 * without tags is a document.
 *
 * @param text the whole text, to look up words that it mentions
 * @param instruction of a map, or null
 * @param condition of a filter or join, or null
 * @param fields the requested fields, if the prompt lists them
 * @param document the document texts
 * @param items the prompts of a batch, one per document, in order of their ids; empty for others
 * @param proposals answers to choose among
 * @param parts answers to the parts of a document, which are to be merged
 * @param draft an answer to criticize or refine, or null
 * @param critique the mistakes of the draft, or null
 * @param missing the gaps of the draft, or null
 * @param output an answer to score, or null
 * @param outside user text outside of all tags
 * @param examples number of solved examples
 * @param repair whether the prompt reports that the last answer was unreadable
 */
@RecordBuilder
public record Prompt(
    String text,
    @Nullable String instruction,
    @Nullable String condition,
    List<RequestedField> fields,
    DocumentSection document,
    List<Prompt> items,
    List<String> proposals,
    List<String> parts,
    @Nullable String draft,
    @Nullable String critique,
    @Nullable String missing,
    @Nullable String output,
    String outside,
    int examples,
    boolean repair) {

  private static final String CONJUNCTION = "All of these hold:";
  private static final Pattern FIELD =
      Pattern.compile("^\\s*-\\s*(.+?)\\s*\\(([^)]*)\\)\\s*:?(.*)$");
  private static final Pattern SCHEMA =
      Pattern.compile("json schema[^\\n{]*\\n?(?=\\{)", Pattern.CASE_INSENSITIVE);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern REPAIR =
      Pattern.compile(
          "<repair>|(previous|last|earlier) (answer|response|output|reply)|not valid json|invalid json"
              + "|could not be (parsed|read)");

  public Prompt {
    fields = List.copyOf(fields);
    items = List.copyOf(items);
    proposals = List.copyOf(proposals);
    parts = List.copyOf(parts);
  }

  /**
   * Parses a prompt.
   *
   * @param system text of the system messages
   * @param user text of the user messages
   * @param answeredBefore whether the conversation contains an answer
   */
  public static Prompt parse(String system, String user, boolean answeredBefore) {
    TagParser inUser = new TagParser(user);
    // Examples first: they contain documents.
    int examples = inUser.takeRaw("example").size();
    List<Prompt> items = new ArrayList<>();
    for (String item : inUser.takeRaw("item")) {
      items.add(parse(system, item, answeredBefore));
    }
    // Documents first: a document may contain an unescaped opening tag, which must not count.
    List<String> sections = inUser.takeRaw("document");
    TagParser inSystem = new TagParser(system);
    examples += inSystem.takeRaw("example").size();
    List<String> proposals = inUser.takeAll("proposal");
    List<String> parts = inUser.takeAll("part");
    @Nullable String draft = inUser.takeText("draft");
    @Nullable String critique = inUser.takeText("critique");
    @Nullable String missing = inUser.takeText("missing");
    @Nullable String output = inUser.takeText("output");
    @Nullable String instruction = first(inSystem, inUser, "instruction");
    @Nullable String condition = first(inSystem, inUser, "condition");
    @Nullable String fields = first(inSystem, inUser, "fields");
    // The sections show what the task is.
    inUser.takeAll("step");
    String outside = inUser.rest().strip();
    boolean tagged = !sections.isEmpty() || !parts.isEmpty() || !items.isEmpty();
    return new Prompt(
        system + "\n" + user,
        instruction,
        condition,
        fields == null ? List.of() : fields(fields),
        tagged ? DocumentSection.fenced(sections) : DocumentSection.bare(outside),
        items,
        proposals,
        parts,
        draft,
        critique,
        missing,
        output,
        tagged ? outside : "",
        examples,
        answeredBefore || isRepair(inSystem.rest() + (tagged ? outside : "")));
  }

  private static boolean isRepair(String prose) {
    return REPAIR.matcher(prose.toLowerCase(Locale.ROOT)).find();
  }

  private static @Nullable String first(TagParser system, TagParser user, String tag) {
    @Nullable String found = system.takeText(tag);
    return found != null ? found : user.takeText(tag);
  }

  /**
   * The conditions to decide: each one of a conjunction, otherwise the condition, otherwise the
   * instruction; empty if there is none.
   */
  public List<String> conditions() {
    String whole = condition != null ? condition : instruction;
    if (whole == null) {
      return List.of();
    }
    if (!whole.startsWith(CONJUNCTION)) {
      return List.of(whole);
    }
    return whole
        .lines()
        .skip(1)
        .map(line -> line.strip().startsWith("- ") ? line.strip().substring(2) : line.strip())
        .filter(line -> !line.isEmpty())
        .toList();
  }

  /** This prompt about its document and others instead of items. */
  public Prompt withDocuments(List<String> others) {
    return PromptBuilder.builder(this).document(document.with(others)).items(List.of()).build();
  }

  /** The properties of the answer, if the prompt states its JSON schema as text; else none. */
  public Map<String, FieldShape> schemaInText() {
    Matcher schema = SCHEMA.matcher(text);
    if (!schema.find()) {
      return Map.of();
    }
    try {
      // Reads one value; what follows it does not matter.
      JsonNode value = JSON.readTree(text.substring(schema.end()));
      return FieldShape.of(value).properties();
    } catch (JsonProcessingException e) {
      return Map.of();
    }
  }

  private static List<RequestedField> fields(String lines) {
    List<RequestedField> fields = new ArrayList<>();
    lines
        .lines()
        .forEach(line -> {
          Matcher matcher = FIELD.matcher(line);
          if (matcher.matches()) {
            fields.add(
                new RequestedField(
                    matcher.group(1), matcher.group(2).strip(), matcher.group(3).strip()));
          }
        });
    return fields;
  }

  /**
   * A field that the prompt requests.
   *
   * @param type in words, such as {@code list of string}
   */
  public record RequestedField(String name, String type, String description) {}
}
