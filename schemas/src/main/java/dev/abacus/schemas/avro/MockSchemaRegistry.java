package dev.abacus.schemas.avro;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.avro.Schema;

/**
 * A registry in memory, for tests and experiments, with the behaviour of a real one: ids count from
 * 1, a schema has the same id under every subject, and the default compatibility is {@link
 * Compatibility#BACKWARD}.
 *
 * <p>{@code schema.registry.url=mock://scope} reaches the registry of that scope, shared by all
 * serdes of this JVM (that sharing is the purpose, hence the static map).
 */
public final class MockSchemaRegistry implements SchemaRegistry {

  private static final ConcurrentMap<String, MockSchemaRegistry> SCOPES = new ConcurrentHashMap<>();

  private final List<Schema> schemasById = new ArrayList<>();
  private final Map<String, List<Integer>> idsBySubject = new LinkedHashMap<>();
  private Compatibility rule = Compatibility.BACKWARD;

  /** The registry behind {@code mock://scope}. */
  public static MockSchemaRegistry ofScope(String scope) {
    return SCOPES.computeIfAbsent(scope, ignored -> new MockSchemaRegistry());
  }

  @Override
  public synchronized int register(String subject, Schema schema) {
    Optional<Integer> known = find(subject, schema);
    if (known.isPresent()) {
      return known.get();
    }
    violation(subject, schema)
        .ifPresent(reason -> {
          throw new RegistryException.Incompatible(
              "Schema is not %s compatible with subject '%s': %s"
                  .formatted(compatibility(subject), subject, reason));
        });
    int id = schemasById.indexOf(schema) + 1;
    if (id == 0) {
      schemasById.add(schema);
      id = schemasById.size();
    }
    idsBySubject.computeIfAbsent(subject, ignored -> new ArrayList<>()).add(id);
    return id;
  }

  @Override
  public synchronized int idOf(String subject, Schema schema) {
    return find(subject, schema)
        .orElseThrow(() ->
            new RegistryException.NotFound(
                "Subject '%s' does not have the schema %s".formatted(subject, schema)));
  }

  @Override
  public synchronized Schema schemaById(int id) {
    if (id < 1 || id > schemasById.size()) {
      throw new RegistryException.NotFound("No schema has the id " + id);
    }
    return schemasById.get(id - 1);
  }

  @Override
  public SchemaText textById(int id) {
    return new SchemaText("AVRO", schemaById(id).toString(), Map.of());
  }

  @Override
  public synchronized RegisteredSchema latest(String subject) {
    List<Integer> ids = ids(subject);
    if (ids.isEmpty()) {
      throw new RegistryException.NotFound("No subject '" + subject + "'");
    }
    return new RegisteredSchema(
        subject, ids.getLast(), ids.size(), schemasById.get(ids.getLast() - 1));
  }

  @Override
  public synchronized Optional<String> violation(String subject, Schema schema) {
    List<Schema> newestFirst =
        ids(subject).reversed().stream().map(id -> schemasById.get(id - 1)).toList();
    return compatibility(subject).violation(schema, newestFirst);
  }

  @Override
  public synchronized Compatibility compatibility(String subject) {
    return rule;
  }

  @Override
  public synchronized void setCompatibility(Compatibility compatibility) {
    rule = compatibility;
  }

  /** Does nothing, because the scope is shared. */
  @Override
  public void close() {}

  private List<Integer> ids(String subject) {
    return idsBySubject.getOrDefault(subject, List.of());
  }

  private Optional<Integer> find(String subject, Schema schema) {
    return ids(subject).stream().filter(id -> schemasById.get(id - 1).equals(schema)).findFirst();
  }
}
