// An object that calls a function which host objects may not call.
int system(const char *);
void evil(void) { system("true"); }
