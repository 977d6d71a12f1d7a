package dev.abacus.schemas.control;

/**
 * A control record that was refused; what was in force before stays.
 *
 * @param key its key, as it stood
 * @param reason what is wrong with it and what would be right
 * @param offset where it stands on the control topic
 * @param by the component that refused it
 */
public record Rejection(String key, String reason, long offset, String by) {}
