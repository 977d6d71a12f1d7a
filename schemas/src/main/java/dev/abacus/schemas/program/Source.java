package dev.abacus.schemas.program;

/**
 * A topic of documents.
 *
 * @param name what operators call it
 * @param topic the Kafka topic
 * @param format how values are encoded
 * @param key the field that carries the document's id; the record key where there is one is the
 *     same
 */
public record Source(String name, String topic, Format format, String key) {}
