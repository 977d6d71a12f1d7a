package dev.abacus.optimizer.learning;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.plan.Range;
import org.jspecify.annotations.Nullable;

/**
 * What was learnt from live documents of an operator with the implementation of the active plan.
 *
 * @param target share of the classifier's answers that have to agree with the implementation
 * @param answers number of its answers that were learnt from
 * @param withoutCall share of the documents that a classifier answered without a call, of all that
 *     the operator has answered since the first of these, estimated from the audits; in [0, 1]
 * @param answering whether a classifier may answer
 * @param audits number of documents that a classifier could answer and that it answered all the
 *     same
 * @param agreement share of these in which both agreed, with its 95 % interval; null without one.
 *     Agreement is not correctness: it says nothing about how good the implementation is
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LearningReport(
    String operator,
    double target,
    long answers,
    double withoutCall,
    boolean answering,
    long audits,
    @Nullable Range agreement) {}
