package dev.abacus.schemas.control;

/**
 * How calls of one model went on one instance.
 *
 * @param model name of the catalogue
 * @param calls attempts since the instance started
 * @param failures of these, that the provider is to blame for: limits, server errors, timeouts,
 *     lost connections, refused keys
 * @param open whether most of the latest attempts failed so: the model is not to be relied on
 */
public record ModelHealth(String model, long calls, long failures, boolean open) {}
