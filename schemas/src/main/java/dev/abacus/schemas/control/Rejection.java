package dev.abacus.schemas.control;

/**
 * A refused control record. The earlier value of the key remains in force.
 *
 * @param key the record key as written
 * @param reason the mistake and how to correct it
 * @param offset offset on the control topic
 * @param by the component that refused the record
 */
public record Rejection(String key, String reason, long offset, String by) {}
