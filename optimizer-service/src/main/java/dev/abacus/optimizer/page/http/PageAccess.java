package dev.abacus.optimizer.page.http;

import java.util.List;

/**
 * Who may use the page, and how it is encrypted.
 *
 * @param visitors who may sign in
 * @param keyStore file with the key and the certificate, as PKCS12 or JKS; empty for HTTP
 * @param password of the key store
 */
public record PageAccess(List<Visitor> visitors, String keyStore, String password) {

  public PageAccess {
    visitors = List.copyOf(visitors);
  }

  boolean isSecure() {
    return !keyStore.isEmpty();
  }
}
