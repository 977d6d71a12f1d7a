package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import java.util.List;

/**
 * Answers the questions of a map or a filter in the role that the prompt implies: merger of parts,
 * aggregator of proposals, refiner of a draft, or generator.
 */
record FieldAnswerer(
    ModelCall call, SchemaFiller filler, List<JsonNode> proposals, JsonNode draft) {

  static FieldAnswerer of(ModelCall call, SchemaFiller filler) {
    Prompt prompt = call.prompt();
    return new FieldAnswerer(
        call,
        filler,
        prompt.proposals().stream().map(TaskQuestions::parse).filter(JsonNode::isObject).toList(),
        prompt.draft() == null
            ? JsonNodeFactory.instance.missingNode()
            : TaskQuestions.parse(prompt.draft()));
  }

  List<FieldAnswer> answer(List<Question> questions) {
    Prompt prompt = call.prompt();
    if (!prompt.parts().isEmpty() && prompt.document().texts().isEmpty()) {
      List<JsonNode> parts = prompt.parts().stream().map(TaskQuestions::parse).toList();
      return questions.stream().map(new Merger(call, parts)::answer).toList();
    }
    return questions.stream().map(this::answer).toList();
  }

  private FieldAnswer answer(Question question) {
    GroundTruth truth = question.truth();
    if (truth == null) {
      return new FieldAnswer(question.name(), unknown(question), 0.9);
    }
    if (!proposals.isEmpty()) {
      return new Aggregator(call, proposals).answer(question, truth);
    }
    if (draft.isObject()) {
      Prompt prompt = call.prompt();
      String objections = prompt.critique() != null ? prompt.critique() : prompt.missing();
      return new Refiner(call, draft, objections).answer(question, truth);
    }
    return new AnswerGenerator(call, "answer", 0).answer(question, truth);
  }

  /** Without ground truth: the value that the prompt proposes, or any value that fits. */
  private JsonNode unknown(Question question) {
    JsonNode given =
        proposals.isEmpty()
            ? draft.path(question.name())
            : proposals.getFirst().path(question.name());
    return given.isMissingNode()
        ? filler.fill(question.name(), question.shape())
        : SchemaCoercion.fit(given, question.shape());
  }
}
