@NullMarked
package dev.abacus.topology;

import org.jspecify.annotations.NullMarked;
