package dev.abacus.schemas.avro;

import org.apache.avro.Schema;

/**
 * A version of a schema under a subject.
 *
 * @param subject the name of a series of schema versions
 * @param id the registry-wide id that the wire format carries
 * @param version counts from 1 within the subject
 * @param schema the schema itself
 */
public record RegisteredSchema(String subject, int id, int version, Schema schema) {}
