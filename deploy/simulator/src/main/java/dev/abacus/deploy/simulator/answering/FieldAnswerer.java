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
final class FieldAnswerer {

  private final ModelCall call;
  private final SchemaFiller filler;
  private final List<JsonNode> proposals;
  private final JsonNode draft;
  private final boolean merges;
  private final Merger merger;
  private final AnswerGenerator generator;

  FieldAnswerer(ModelCall call, SchemaFiller filler) {
    Prompt prompt = call.prompt();
    this.call = call;
    this.filler = filler;
    this.proposals =
        prompt.proposals().stream().map(TaskQuestions::parse).filter(JsonNode::isObject).toList();
    this.draft =
        prompt.draft() == null
            ? JsonNodeFactory.instance.missingNode()
            : TaskQuestions.parse(prompt.draft());
    this.merges = !prompt.parts().isEmpty() && prompt.document().texts().isEmpty();
    this.merger = new Merger(call, prompt.parts().stream().map(TaskQuestions::parse).toList());
    this.generator = new AnswerGenerator(call, "answer", 0);
  }

  List<FieldAnswer> answer(List<Question> questions) {
    return questions.stream().map(this::answer).toList();
  }

  private FieldAnswer answer(Question question) {
    GroundTruth truth = question.truth();
    if (merges) {
      return merger.answer(question);
    }
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
    return generator.answer(question, truth);
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
