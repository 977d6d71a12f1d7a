package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.prompt.FieldShape;
import dev.abacus.deploy.simulator.skill.KeyedRandom;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import dev.abacus.deploy.simulator.truth.TextNormalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Generates plausible wrong answers: another choice, a neighbouring sentence, a number off by one,
 * a span that is too short or too long. All text comes from the prompt or the schema.
 */
record ErrorGenerator(ModelCall call) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final Pattern LABEL = Pattern.compile("[\\p{L}\\p{N}]+(_[\\p{L}\\p{N}]+)+");
  private static final int SHORT_TEXT = 40;
  private static final int LONGEST_SENTENCE = 300;

  /**
   * A wrong answer. With the probability {@code sharedMistake} it is the mistake that all models
   * make on this document.
   */
  JsonNode instead(
      Question question, JsonNode right, double position, String role, String document) {
    KeyedRandom own = call.effects().draw(role + " mistake", document, question.name());
    KeyedRandom common = call.effects().common("mistake", document, question.name());
    KeyedRandom draw =
        own.uniform() < call.skill().formula().sharedMistake() ? common : own.with("which");
    return SchemaCoercion.fit(
        wrong(question.name(), question.shape(), right, position, draw), question.shape());
  }

  /** An item that does not belong to the list. */
  JsonNode intruder(Question question, GroundTruth truth, String role, int number) {
    KeyedRandom own =
        call.effects().draw(role + " intruder", truth.document(), truth.key()).with(number);
    KeyedRandom common =
        call.effects().common("intruder", truth.document(), truth.key()).with(number);
    KeyedRandom draw =
        own.uniform() < call.skill().formula().sharedMistake() ? common : own.with("which");
    FieldShape shape =
        question.shape().items() == null ? question.shape() : question.shape().items();
    JsonNode like =
        truth.value().isEmpty()
            ? JSON.textNode("")
            : truth.value().get(draw.below(truth.value().size()));
    return SchemaCoercion.fit(
        wrong(question.name(), shape, like, draw.with("place").uniform(), draw), shape);
  }

  private JsonNode wrong(
      String name, FieldShape shape, JsonNode right, double position, KeyedRandom draw) {
    List<JsonNode> others =
        shape.choices().stream().filter(choice -> !AnswerSimilarity.same(choice, right)).toList();
    if (!others.isEmpty()) {
      return others.get(draw.below(others.size()));
    }
    return switch (shape.type()) {
      case BOOLEAN -> JSON.booleanNode(!right.asBoolean());
      case INTEGER, NUMBER -> nearby(right.asDouble(), shape, draw);
      case OBJECT ->
          shape.object((part, of) -> wrong(part, of, right.path(part), position, draw.with(part)));
      case STRING, ARRAY -> wrongText(name, right, position, draw);
    };
  }

  private static JsonNode nearby(double right, FieldShape shape, KeyedRandom draw) {
    double step = draw.uniform() < 0.5 ? -1 : 1;
    double wrong = right + step;
    if (wrong < shape.minimum() || wrong > shape.maximum()) {
      wrong = right - step;
    }
    return JSON.numberNode(wrong);
  }

  private JsonNode wrongText(String name, JsonNode right, double position, KeyedRandom draw) {
    String text = right.isNull() || right.isMissingNode() ? "" : TextNormalizer.of(right);
    List<String> mentioned = mentioned(name, text);
    if (!mentioned.isEmpty()) {
      return JSON.textNode(mentioned.get(draw.below(mentioned.size())));
    }
    if (LABEL.matcher(text).matches()) {
      return JSON.textNode(text.replace('_', ' '));
    }
    Matcher number = NUMBER.matcher(text);
    if (text.length() < SHORT_TEXT && number.find() && number.group().length() < 9) {
      int wrong = Math.max(0, Integer.parseInt(number.group()) + (draw.uniform() < 0.5 ? 1 : -1));
      return JSON.textNode(
          text.substring(0, number.start()) + wrong + text.substring(number.end()));
    }
    return JSON.textNode(sentence(text, position, draw));
  }

  /** Other known values of the field that the prompt mentions. */
  List<String> mentioned(String name, String except) {
    String prompt = call.prompt().text();
    return call.documents().vocabulary(name).stream()
        .filter(value -> !value.equals(except) && value.length() > 1 && prompt.contains(value))
        .toList();
  }

  /**
   * Whether a model can give the label: it must be a choice of the schema, or the prompt must
   * mention it.
   */
  boolean canBeNamed(Question question, String label) {
    if (!question.shape().choices().isEmpty()) {
      return true;
    }
    if (call.prompt().text().contains(label)) {
      return true;
    }
    boolean chosenFromOthers =
        call.documents().vocabulary(question.name()).contains(label)
            && mentioned(question.name(), label).size() > 1;
    return !LABEL.matcher(label).matches() && !chosenFromOthers;
  }

  /** A sentence near the position of the evidence. */
  private String sentence(String except, double position, KeyedRandom draw) {
    List<String> sentences = sentencesAround(position);
    sentences.removeIf(
        sentence -> !except.isEmpty() && (sentence.contains(except) || except.contains(sentence)));
    return sentences.isEmpty() ? "" : sentences.get(draw.below(sentences.size()));
  }

  private List<String> sentencesAround(double position) {
    String section = call.section();
    int middle = (int) (position * section.length());
    int from = Math.max(0, middle - 600);
    int to = Math.min(section.length(), middle + 600);
    List<String> sentences = new ArrayList<>();
    int start = from == 0 ? 0 : afterStop(section, from, to);
    while (start < to) {
      int end = afterStop(section, start, to);
      String sentence = section.substring(start, Math.min(end, start + LONGEST_SENTENCE)).strip();
      if (sentence.length() > 3) {
        sentences.add(sentence);
      }
      start = end;
    }
    return sentences;
  }

  private static int afterStop(String text, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if (text.charAt(i) == ' ' && ".!?;:".indexOf(text.charAt(i - 1)) >= 0) {
        return i + 1;
      }
    }
    return to;
  }

  /** An inexact copy of a span: cut short, or extended by the text that follows it. */
  String truncatedOrExtended(String span, KeyedRandom draw) {
    String[] words = span.split(" ", -1);
    if (words.length < 4) {
      return span;
    }
    int end = words.length - 1 - draw.with("cut").below(words.length / 2);
    int at = call.section().indexOf(span);
    if (draw.uniform() < 0.5 || at < 0) {
      return String.join(" ", List.of(words).subList(0, end));
    }
    int more = at + span.length() + 20 + draw.with("more").below(Math.max(20, span.length() / 2));
    int stop = call.section().indexOf(' ', Math.min(more, call.section().length() - 1));
    return call.section().substring(at, stop < 0 ? call.section().length() : stop);
  }
}
