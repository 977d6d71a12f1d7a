package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.topology.model.ResponseSchema;

/**
 * What a model is asked, and how its answer is read.
 *
 * @param <A> the kind of answer
 */
public interface Prompt<A> {

  /** The system message: prose, then what is asked in sections. */
  String system();

  /** The form of the answer. */
  ResponseSchema responseSchema();

  /** Reads an answer; endpoints may have ignored the form. */
  ParsedAnswer<A> read(ObjectNode answer);
}
