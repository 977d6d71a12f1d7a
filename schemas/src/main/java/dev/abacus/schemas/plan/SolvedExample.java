package dev.abacus.schemas.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;

/**
 * An example with its right answer, as prompts show it.
 *
 * @param id of the validation example
 * @param input the fields that the operator reads
 * @param label the right output of the operator, in the form of labels
 */
public record SolvedExample(String id, Document input, JsonNode label) {}
