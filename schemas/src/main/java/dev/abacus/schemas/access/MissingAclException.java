package dev.abacus.schemas.access;

import java.util.List;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Kafka does not allow what a role needs. The message has a line per resource with the command that
 * grants the access.
 */
public final class MissingAclException extends AuthorizationException {

  private static final long serialVersionUID = 1L;

  private final transient List<RequiredAcl> missing;

  MissingAclException(String message, List<RequiredAcl> missing) {
    super(message);
    this.missing = List.copyOf(missing);
  }

  /** What is missing, by resource. */
  public List<RequiredAcl> missing() {
    return missing;
  }

  /** Whether something is missing on the resource of an ACL. */
  public boolean concerns(RequiredAcl acl) {
    return missing.stream().anyMatch(each -> each.resource().equals(acl.resource()));
  }
}
