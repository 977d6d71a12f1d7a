package dev.abacus.schemas.avro;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** The schemas that a registry has for the values of topics. Thread-safe. */
public final class TopicSchemas implements AutoCloseable {

  private final SchemaRegistry registry;
  private final SubjectNaming naming;
  private final Duration ttl;
  private final InstantSource clock;
  private final ConcurrentMap<String, Cached> newest = new ConcurrentHashMap<>();

  /** An answer of the registry; null if the subject has no version. */
  private record Cached(@Nullable RegisteredSchema version, Instant until) {}

  TopicSchemas(SchemaRegistry registry, AvroSerdeConfig config, InstantSource clock) {
    this.registry = registry;
    this.naming = config.subjectNaming(false);
    this.ttl = config.latestCacheTtl();
    this.clock = clock;
  }

  SchemaRegistry registry() {
    return registry;
  }

  /**
   * Whether a schema may follow those of a subject.
   *
   * @param subject the subject of the schema
   * @param rule which changes the registry allows
   * @param violation why it refuses the schema; null if it accepts it
   */
  public record Verdict(String subject, Compatibility rule, @Nullable String violation) {}

  /**
   * The newest schema of the values of a topic. It may be {@code latest.cache.ttl.sec} old, and
   * older while the registry cannot be reached.
   *
   * @return null if the registry has none, or if subjects are not named by topic alone
   * @throws RegistryException if the registry cannot be reached and the schema is not known
   */
  public @Nullable Schema newest(String topic) {
    return naming == SubjectNaming.TOPIC ? schema(topic + "-value") : null;
  }

  /**
   * The newest schema of the subject that a schema of a topic belongs to; null if there is none.
   */
  @Nullable Schema newest(String topic, Schema schema) {
    return schema(naming.subject(topic, false, schema));
  }

  private @Nullable Schema schema(String subject) {
    RegisteredSchema version = newestOf(subject);
    return version == null ? null : version.schema();
  }

  /** The newest version of a subject, as old as {@link #newest(String)}; null if there is none. */
  @Nullable RegisteredSchema newestOf(String subject) {
    Cached cached = newest.get(subject);
    if (cached == null) {
      return ask(subject);
    }
    // Only one asks. The others, and those that come while the registry is away, do not wait.
    if (!clock.instant().isBefore(cached.until)
        && newest.replace(subject, cached, until(cached.version))) {
      try {
        return ask(subject);
      } catch (RegistryException e) {
        if (!e.retriable()) {
          throw e;
        }
      }
    }
    return cached.version;
  }

  private @Nullable RegisteredSchema ask(String subject) {
    RegisteredSchema version;
    try {
      version = registry.latest(subject);
    } catch (RegistryException.NotFound e) {
      version = null;
    }
    newest.put(subject, until(version));
    return version;
  }

  private Cached until(@Nullable RegisteredSchema version) {
    return new Cached(version, clock.instant().plus(ttl));
  }

  /**
   * Looks up the newest schemas anew.
   *
   * @throws RegistryException if the registry cannot be reached; the known schemas stay
   */
  public void renew() {
    newest.keySet().forEach(this::ask);
  }

  /**
   * Asks the registry whether it would accept a schema for the values of a topic.
   *
   * @throws RegistryException if the registry cannot be reached
   */
  public Verdict check(String topic, Schema schema) {
    String subject = naming.subject(topic, false, schema);
    Compatibility rule = registry.compatibility(subject);
    String violation =
        registry
            .violation(subject, schema)
            .map(reason -> explained(subject, rule, schema).orElse(reason))
            .orElse(null);
    return new Verdict(subject, rule, violation);
  }

  /** Some registries give no reason; the newest version mostly shows it. */
  private Optional<String> explained(String subject, Compatibility rule, Schema schema) {
    return rule.violation(schema, List.of(registry.latest(subject).schema()));
  }

  @Override
  public void close() {
    registry.close();
  }
}
