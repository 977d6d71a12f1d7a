package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.answering.Answer.Confidence;
import dev.abacus.deploy.simulator.skill.KeyedRandom;
import java.util.ArrayList;
import java.util.List;

/** Writes answers as JSON, with or without a format error. */
final class AnswerWriter {

  private AnswerWriter() {}

  /** The answers as one JSON object. */
  static Answer write(List<FieldAnswer> answers, double thinking) {
    return write("{", answers, "}", thinking);
  }

  /** The same with a format error: a missing field, a wrong type, or prose around the JSON. */
  static Answer malformed(List<FieldAnswer> answers, double thinking, KeyedRandom draw) {
    int which = draw.with("which").below(3);
    if (which == 0 && !answers.isEmpty()) {
      int missing = draw.with("missing").below(answers.size());
      List<FieldAnswer> rest = new ArrayList<>(answers);
      rest.remove(missing);
      return write(rest, thinking);
    }
    if (which == 1 && !answers.isEmpty()) {
      int wrong = draw.with("wrong").below(answers.size());
      List<FieldAnswer> rest = new ArrayList<>(answers);
      rest.set(wrong, mistyped(answers.get(wrong)));
      return write(rest, thinking);
    }
    return write(
        "Here is the JSON you asked for:\n```json\n{",
        answers,
        "}\n```\nLet me know if you need more.",
        thinking);
  }

  private static FieldAnswer mistyped(FieldAnswer answer) {
    JsonNode value = answer.value();
    JsonNode wrong =
        value.isTextual()
            ? JsonNodeFactory.instance.objectNode().set("value", value)
            : JsonNodeFactory.instance.textNode(
                value.isValueNode() ? "approximately " + value.asText() : value.toString());
    return new FieldAnswer(answer.name(), wrong, answer.confidence());
  }

  private static Answer write(
      String before, List<FieldAnswer> answers, String after, double thinking) {
    StringBuilder text = new StringBuilder(before);
    List<Confidence> confidences = new ArrayList<>();
    String separator = "";
    for (FieldAnswer answer : answers) {
      text.append(separator).append(JsonNodeFactory.instance.textNode(answer.name())).append(":");
      // The opening quote is certain; it often belongs to the token of the colon.
      int from = text.length() + (answer.value().isTextual() ? 1 : 0);
      text.append(answer.value());
      confidences.add(new Confidence(from, text.length(), answer.confidence()));
      separator = ",";
    }
    return new Answer(text.append(after).toString(), confidences, thinking);
  }
}
