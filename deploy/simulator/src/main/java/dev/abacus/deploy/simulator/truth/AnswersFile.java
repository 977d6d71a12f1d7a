package dev.abacus.deploy.simulator.truth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads known documents from JSON Lines; the README of the module describes the format. */
final class AnswersFile {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private int line;

  AnswersFile(Path file) {
    this.file = file;
  }

  /** Passes every document on, with the texts of its fields. */
  void forEach(BiConsumer<KnownDocument, List<String>> consumer) {
    try (BufferedReader in = Files.newBufferedReader(file)) {
      @Nullable String text;
      while ((text = in.readLine()) != null) {
        line++;
        if (!text.isBlank()) {
          JsonNode row = parse(text);
          List<String> texts = texts(row.path("document"));
          consumer.accept(document(row, texts), texts);
        }
      }
    } catch (IOException e) {
      throw new AnswersFileException("answers file " + file + " cannot be read: " + e, e);
    }
  }

  private JsonNode parse(String text) {
    try {
      JsonNode row = JSON.readTree(text);
      if (!row.isObject()) {
        throw fault("(line)", "must be a JSON object");
      }
      return row;
    } catch (JsonProcessingException e) {
      throw new AnswersFileException(place("(line)") + "is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private KnownDocument document(JsonNode row, List<String> texts) {
    JsonNode id = row.path("id");
    if (!id.isValueNode() || id.isNull()) {
      throw fault("id", "must be a string");
    }
    if (!row.path("document").isObject()) {
      throw fault("document", "must be an object");
    }
    Map<String, JsonNode> answers = object(row, "answers", UnaryOperator.identity());
    Map<String, JsonNode> conditions = object(row, "conditions", TextNormalizer::condition);
    conditions.forEach((key, value) -> {
      if (!value.isBoolean() && !value.isArray()) {
        throw fault("conditions." + key, "must be true, false or a list of ids");
      }
    });
    return new KnownDocument(
        id.asText(),
        answers,
        conditions,
        evidence(row, answers),
        difficulty(row, answers),
        verbatim(answers, texts));
  }

  private Map<String, JsonNode> object(JsonNode row, String key, UnaryOperator<String> name) {
    JsonNode node = row.path(key);
    if (!node.isMissingNode() && !node.isNull() && !node.isObject()) {
      throw fault(key, "must be an object");
    }
    Map<String, JsonNode> entries = new HashMap<>();
    node.properties().forEach(entry -> entries.put(name.apply(entry.getKey()), entry.getValue()));
    return entries;
  }

  private Map<String, List<String>> evidence(JsonNode row, Map<String, JsonNode> answers) {
    Map<String, List<String>> evidence = new HashMap<>();
    object(row, "evidence", key -> answers.containsKey(key) ? key : TextNormalizer.condition(key))
        .forEach((key, spans) -> {
          if (!spans.isArray()) {
            throw fault("evidence." + key, "must be a list of strings");
          }
          List<String> texts = new ArrayList<>();
          for (JsonNode span : spans) {
            if (!span.isTextual()) {
              throw fault("evidence." + key, "must be a list of strings");
            }
            texts.add(TextNormalizer.of(span));
          }
          evidence.put(key, List.copyOf(texts));
        });
    return evidence;
  }

  private Map<String, Double> difficulty(JsonNode row, Map<String, JsonNode> answers) {
    Map<String, Double> difficulty = new HashMap<>();
    object(row, "difficulty", key -> answers.containsKey(key) ? key : TextNormalizer.condition(key))
        .forEach((key, value) -> {
          if (!value.isNumber() || value.doubleValue() < 0 || value.doubleValue() > 1) {
            throw fault("difficulty." + key, "must be a number from 0 to 1");
          }
          difficulty.put(key, value.doubleValue());
        });
    return difficulty;
  }

  private static List<String> texts(JsonNode document) {
    List<String> texts = new ArrayList<>();
    document.forEach(value -> texts.add(text(value)));
    return texts;
  }

  /** A text, what stands for a sound in prompts, or the JSON of another value. */
  private static String text(JsonNode value) {
    if (value.isTextual()) {
      return value.textValue();
    }
    return value.path("mediaType").asText().startsWith("audio/") && value.path("bytes").isTextual()
        ? SoundMark.of(value.path("bytes").textValue())
        : value.toString();
  }

  private static Set<String> verbatim(Map<String, JsonNode> answers, List<String> texts) {
    String text = TextNormalizer.collapse(String.join("\n", texts));
    Set<String> verbatim = new HashSet<>();
    for (JsonNode answer : answers.values()) {
      for (JsonNode value : answer.isArray() ? answer : List.of(answer)) {
        String shown = TextNormalizer.of(value);
        if (value.isTextual() && shown.length() > 1 && text.contains(shown)) {
          verbatim.add(shown);
        }
      }
    }
    return verbatim;
  }

  private String place(String key) {
    return "answers file " + file + ", line " + line + ", key " + key + ": ";
  }

  private AnswersFileException fault(String key, String problem) {
    return new AnswersFileException(place(key) + problem);
  }
}
