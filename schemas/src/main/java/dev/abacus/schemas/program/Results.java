package dev.abacus.schemas.program;

/** The topic that results go to, and how they are encoded. */
public record Results(String topic, Format format) {}
