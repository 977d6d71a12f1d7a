@NullMarked
package dev.abacus.schemas;

import org.jspecify.annotations.NullMarked;
