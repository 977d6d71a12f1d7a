package dev.abacus.deploy.simulator.prompt;

/**
 * A field that the prompt asks for.
 *
 * @param name its name
 * @param type as the prompt puts it, such as {@code list of string}
 * @param description what it means
 */
public record RequestedField(String name, String type, String description) {}
