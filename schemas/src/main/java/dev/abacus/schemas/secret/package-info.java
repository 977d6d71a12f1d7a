/**
 * Secrets of the configuration, and their removal from texts of others. Read {@link
 * dev.abacus.schemas.secret.ConfiguredSecrets}, then {@link dev.abacus.schemas.secret.Redactor}.
 */
@NullMarked
package dev.abacus.schemas.secret;

import org.jspecify.annotations.NullMarked;
